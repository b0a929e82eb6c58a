/// The model's constants, for the target that runs now: those of the library, or its file in `folder`, mapped, which
/// processes share.
class weights {
public:
    explicit weights(const std::string &folder = ".") : data_(::@name@_weights())
    {
        const char *const file = ::@name@_weights_file();
        checked(data_ || file ? @NAME@_OK : @NAME@_NO_TARGET);
        if (!data_)
            map(folder + "/" + file);
    }
    weights(const weights &) = delete;
    weights &operator=(const weights &) = delete;
    ~weights()
    {
        if (bytes_)
            ::munmap(const_cast<void *>(data_), bytes_);
    }
    const void *data() const noexcept { return data_; }

private:
    void map(const std::string &path)
    {
        const std::size_t bytes = ::@name@_weights_bytes();
        struct stat found = {};
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        const bool fits = file >= 0 && !::fstat(file, &found) && static_cast<std::size_t>(found.st_size) == bytes;
        void *const there = fits ? ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
        if (file >= 0)
            ::close(file);
        if (there == MAP_FAILED)
            throw failure(@NAME@_NOT_PACKED,
                          "@name@: expected " + std::to_string(bytes) + " bytes of constants in " + path);
        data_ = there;
        bytes_ = bytes;
    }
    const void *data_;
    std::size_t bytes_ = 0;
};
