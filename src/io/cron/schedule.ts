/** Calendar work by node-cron. Its timers do not keep the process alive, and its words go to our log. */
import { createTask, type Logger, type ScheduledTask } from 'node-cron'
import type { Log } from '../../kernel/log.ts'
import { SingleFlight } from '../../kernel/async/single-flight.ts'
import type { Schedule } from '../../ports/schedule.ts'

export const cronSchedule =
  (log: Log): Schedule =>
  ({ name, pattern, work, failed }) => {
    const working = new SingleFlight(() => work().catch(failed))
    let task: ScheduledTask | null = null
    return {
      start() {
        if (task !== null) return
        task = createTask(pattern, () => working.join(), {
          name,
          timezone: 'UTC',
          noOverlap: true,
          unref: true,
          logger: quiet(log, name),
        })
        void working.join()
        void task.start()
      },
      async stop() {
        await task?.destroy()
        task = null
        await working.running
      },
    }
  }

/** It tells of hours that a sleeping host missed: the next one does their work. */
const quiet = (log: Log, name: string): Logger => ({
  info: () => undefined,
  debug: () => undefined,
  warn: (message) => log.debug('calendar', { name, message }),
  error: (message) => log.error('calendar work broke', { name, error: message }),
})
