/** How long the machine kept this process waiting for its turn: so much of a time that is measured says nothing about the code. */

const EVERY_MS = 20

/** @returns ends it and answers the milliseconds by which timers came late beyond what this process itself computed */
export function measureLateness(): () => number {
  let late_ms = 0
  let at = performance.now()
  let used = process.cpuUsage()
  const tick = () => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(used)
    late_ms += Math.max(0, now - at - EVERY_MS - (user + system) / 1000)
    at = now
    used = process.cpuUsage()
  }
  const timer = setInterval(tick, EVERY_MS)
  return () => {
    clearInterval(timer)
    tick()
    return late_ms
  }
}
