/**
 * How long the event loop stands still for a piece of work, in time of this thread's own processor: what other processes
 * of a busy machine take is not charged to the work.
 */
export interface Standstill {
  /** The longest stretch since the start, in milliseconds. */
  end(): number
}

export function standstill(): Standstill {
  let longest_ms = 0
  let last = process.threadCpuUsage()
  const look = () => {
    const spent = process.threadCpuUsage(last)
    longest_ms = Math.max(longest_ms, (spent.user + spent.system) / 1000)
    last = process.threadCpuUsage()
    next = setImmediate(look)
  }
  let next = setImmediate(look)
  return {
    end() {
      clearImmediate(next)
      return longest_ms
    },
  }
}
