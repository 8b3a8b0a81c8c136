/** Two daemons on one data directory, killed at random moments: never both at work, and a dead holder holds nobody up. */
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { type Running, start } from '../flows/command.ts'
import { environmentFor } from './order.ts'
import { MAX_MS } from './sweep.ts'
import { openWorkshop } from './workshop.ts'
import { byTier } from '../kit/tier.ts'

const ROUNDS = byTier(1, 2, 20)
/** From before it has the lock to well after it listens. */
const LATEST_KILL_MS = 1_500
/** As the log has it; who is turned away is told of a listener, too. */
const LISTENING = '"listening"'

const workshop = openWorkshop()
afterAll(() => workshop.close())

/** Whether it came to listen; false when it ended before. */
const listens = (daemon: Running): Promise<boolean> =>
  daemon.saw(LISTENING).then(
    () => true,
    () => false,
  )

it(
  'one of two is turned away naming the holder, and a killed holder frees at once',
  { timeout: MAX_MS },
  async () => {
    const env = environmentFor(workshop.folder())
    let turned_away = 0
    for (let round = 0; round < ROUNDS; round++) {
      const daemons = [start(['serve'], env), start(['serve'], env)] as const
      const listening = daemons.map(listens)
      // The moment is the test's input, not a wait for something.
      await setTimeout(randomInt(LATEST_KILL_MS))
      const [first, second] = await Promise.all([daemons[0].stop('SIGKILL'), listening[1]])
      const last = second ? await daemons[1].stop('SIGKILL') : await daemons[1].done
      if (!second) {
        turned_away++
        expect(last.code).toBeGreaterThan(0)
        expect(last.err, first.err).toMatch(/in use by (process \d+|another process)/)
      }
      const next = start(['serve'], env)
      expect(await listens(next), `round ${round}: a killed daemon still holds the directory`).toBe(true)
      expect((await next.stop()).code).toBe(0)
    }
    process.stdout.write(`faults: two daemons: ${ROUNDS} rounds, ${turned_away} turned away, 0 held up\n`)
  },
)
