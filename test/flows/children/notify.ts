/** A house that tells what is wrong and dies at a given write of its store: before it, or after it is durable. */
import { loadConfig } from '../../../src/settings-wiring.ts'
import { buildDaemon } from '../../../src/build-daemon.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { mailRecords } from '../../../src/features/mail/records.ts'
import { notificationRecords } from '../../../src/features/notifications/records.ts'
import { otherRows } from '../../kit/other-rows.ts'

interface Order {
  readonly env: Readonly<Record<string, string>>
  /** How far its clock is ahead of this host's. */
  readonly ahead_ms: number
  /** The write that is fatal: `delivery sent mail`, `mail sending`. */
  readonly fatal: string
  readonly moment: 'before' | 'after'
}

const { env, ahead_ms, fatal, moment } = JSON.parse(process.argv[2]!) as Order

/** At once and without a word, as when the power goes. */
const die = () => process.kill(process.pid, 'SIGKILL')

const house = await buildDaemon(loadConfig(env), {
  log: silentLog,
  clock: { ...systemClock, now: () => systemClock.now() + ahead_ms },
  wrap: {
    store: (store) => ({
      ...store,
      async write(work) {
        const deeds = new Set<string>()
        const result = await store.write(async (tx) => {
          const of = otherRows(tx, notificationRecords, (own) => ({
            saveDelivery(delivery) {
              deeds.add(`delivery ${delivery.state} ${delivery.channel.replace(/-.*/, '')}`)
              return own.saveDelivery(delivery)
            },
          }))
          const watched = otherRows({ of }, mailRecords, (own) => ({
            saveMail(mail) {
              deeds.add(`mail ${mail.state}`)
              return own.saveMail(mail)
            },
          }))
          const done = await work({ ...tx, of: watched })
          if (deeds.has(fatal) && moment === 'before') die()
          return done
        })
        if (deeds.has(fatal) && moment === 'after') die()
        return result
      },
    }),
  },
})
await house.open()
