// @title@
//
// C++20 over @name@.h: spans of the sizes that it takes, an exception where C returns a status, owners of what is
// packed.
#ifndef @NAME@_HPP
#define @NAME@_HPP
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
@includes@
#include "@name@.h"

#ifndef GRIOTTE_FAILURE
#define GRIOTTE_FAILURE
namespace griotte {
/// A call that did nothing; `status` is what the C function returned.
class failure : public std::runtime_error {
public:
    failure(int status, const std::string &message) : std::runtime_error(message), status(status) {}
    int status;
};
} // namespace griotte
#endif

namespace griotte::@name@ {

inline void checked(int status)
{
    if (status != @NAME@_OK)
        throw failure(status, std::string("@name@: ") + ::@name@_message(status));
}

/// The header that this is compiled with and the library that is linked belong together.
inline bool belongs() noexcept { return ::@name@_abi() == @NAME@_ABI; }

/// The target that runs; empty where the CPU runs none.
inline std::string target()
{
    const char *const found = ::@name@_target();
    return found ? found : "";
}

/// Lets this target run from now on, while no call runs; empty: the best.
inline void choose(const std::string &target = "")
{
    checked(::@name@_choose(target.empty() ? nullptr : target.c_str()));
}

@owners@
@called@
inline void run(@formals@)
{
@checks@    checked(::@name@(@given@));
}

} // namespace griotte::@name@
#endif
