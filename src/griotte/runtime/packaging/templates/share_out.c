
@sharing@
@given@
__attribute__((visibility("hidden"))) @prototype@
{
    griotte_share_out(threads, shares, run, context);
}
