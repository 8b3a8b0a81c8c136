/** Scripts that run in a page of a test before its own: what its policy refuses is kept, and its time can stand still. */

export const VIOLATIONS = `
window.violations = []
document.addEventListener('securitypolicyviolation', (event) =>
  window.violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile))
`

/** Timers run in their order; between two of them the page may finish what it waits for, such as an answer. */
export const HAND_CLOCK = `
{
  const real = { setTimeout: window.setTimeout, Date }
  let now = Date.now()
  const start = now
  let last = 0
  const timers = new Map()
  const add = (every) => (run, ms = 0) => {
    timers.set(++last, { run, at: now + ms, every: every ? ms : null })
    return last
  }
  window.setTimeout = add(false)
  window.setInterval = add(true)
  window.clearTimeout = window.clearInterval = (id) => void timers.delete(id)
  window.Date = class extends real.Date {
    constructor(...values) {
      values.length === 0 ? super(now) : super(...values)
    }
    static now() {
      return now
    }
  }
  performance.now = () => now - start
  window.passTime = async (ms) => {
    const end = now + ms
    for (;;) {
      const due = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0]
      if (due === undefined) break
      const [id, timer] = due
      now = timer.at
      if (timer.every === null) timers.delete(id)
      else timer.at += Math.max(1, timer.every)
      timer.run()
      await new Promise((resolve) => real.setTimeout.call(window, resolve, 0))
    }
    now = end
  }
}
`
