"""The methods of Schedule that rewrites declare, for type checkers. Written by tests/stubs.py."""

from .scheduling import Schedule

class Steps:
    def tile(self, dim: str | tuple[str, ...], size: int | tuple[int, ...], parallel: int = 1) -> Schedule:
        """A loop in steps of so many elements; the leftover is a hole of its own."""

    def split(self, dim: str, size: int) -> Schedule:
        """`tile` of a reduction: the first iteration writes the output, later ones add to it."""

    def ahead(
        self, operand: int | str, panel: int | None = None, group: int | None = None, dtype: str | None = None
    ) -> Schedule:
        """Say how a constant reaches the call, before all else."""

    def skip(self, rows: int) -> Schedule:
        """Cut the rows of a graph with a causal mask into blocks, each over the columns that its last row sees."""

    def select(self, kernel: str, lanes: str | None = None) -> Schedule:
        """Run a kernel of the target."""

    def move(
        self,
        operand: int | str,
        level: str,
        panel: int | None = None,
        group: int | None = None,
        dtype: str | None = None,
        compact: bool | str = False,
        lanes: str | None = None,
    ) -> Schedule:
        """Bring an operand to a faster level of the target."""

    def to_accumulator(self) -> Schedule:
        """A reduction as a fill of its output with the identity, then one that adds to it."""

    def bufferize(self, tensor: int | str, level: str, panel: int | None = None, group: int | None = None) -> Schedule:
        """Give a tensor between the nests of a graph a place; what computes it comes before what reads it."""

    def inline(self, tensor: int | str) -> Schedule:
        """Compute a tensor between the nests of a graph, the result of a map, where it is read."""

    def finish(self, tensor: int | str) -> Schedule:
        """Do the map that reads a reduction's result to it as it is stored."""

    def fold(self, tensor: int | str) -> Schedule:
        """Let the reduction that reads a product's result take it from registers."""

    def factor(self, tensor: int | str) -> Schedule:
        """Divide by the total after the sum of products that reads a tensor of shares of that total."""

    def online(self, tile: int, level: str, kept: bool = False) -> Schedule:
        """Do the maximum and the sums of a softmax, and the product with it, in rounds of columns."""

    def pairs(self) -> Schedule:
        """Do the maximum of a softmax and the sum of its exponentials by one reading of what came in."""

    def shard(self, count: int) -> Schedule:
        """Cut the columns of a softmax into shards, which are computed apart and joined."""

    def halo(self, rows: int) -> Schedule:
        """Cut a graph in which windows slide over a tensor between its nests into blocks of rows."""
