"""The search: ladders, limits, the family graph, the solver, rebuild, the k best, brute force. Nothing here names an
operation. docs/explanation/search.md says how it works; these are its arrays:

    Block.rows      [rows]                     int64    grid point of each row, ascending
    Block.slot      [points]                   int32    row of each grid point, -1 for none
    Block.cost      [rows, limits]             float32  least cycles; inf where there is no program
    Block.decision  [rows, limits]             int16    number of an edge; or 4096 + 256 * dimension + index of a tile
    own cost        [points]                   float32  of all points, or of those at which the edge fits
    kind            [points]                   int32    which row of the transition table a point uses
    transition      [kinds, parent limits]     int32    the child's limit, -1 where too little is left
    quotient        [dims, sizes, tiles]       float32  of every loop; 0 where it is not in the space
    remainder       [dims, sizes, tiles]       int32    index of what a loop leaves, -1 for nothing

A row is a point at which each operand fits its level. `limits` is 6 to the number of limit axes, or fewer where a
family is not reached at all steps (`Block.steps`). `points` is the product of the ladders' lengths: 20 to 30 sizes for
a dimension near 1000. Own costs are computed in float64 and rounded once.
"""
