/// @x@, packed for the target that runs now, once for all calls.
class packed_@x@ {
public:
    explicit packed_@x@(std::span<const @scalar@, @elements@> @x@)
        : room_(static_cast<std::byte *>(::operator new(@NAME@_@X@_PACKED_BYTES, std::align_val_t{64})))
    {
        checked(::@name@_pack_@x@(@x@.data(), room_.get()));
    }
    const void *data() const noexcept { return room_.get(); }

private:
    struct unmade {
        void operator()(std::byte *room) const noexcept { ::operator delete(room, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, unmade> room_;
};
