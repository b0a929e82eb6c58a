
/* What stands behind a packed constant: of which code, and for which target, it is. */
struct griotte_mark { uint32_t form; int32_t place; };

static void griotte_marked(void *packed, size_t at, int place)
{
    const struct griotte_mark mark = {@form@, place};
    memcpy((char *)packed + at, &mark, sizeof mark);
}

static int griotte_is_packed(const void *packed, size_t at, int place)
{
    struct griotte_mark mark = {0, 0};
    if (packed)
        memcpy(&mark, (const char *)packed + at, sizeof mark);
    return mark.form == @form@ && mark.place == place;
}
