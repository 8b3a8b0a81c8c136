/** Two daemons that find the traces of a dead one and start at the same moment: at most one of them gets to work. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { type Order, STOPPING } from './order.ts'
import { childProgram, killGroup, runChild } from './run-child.ts'
import { MAX_MS } from './sweep.ts'
import { openWorkshop } from './workshop.ts'
import { childEnv } from '../kit/child.ts'

const SEEDED = BUGS.filter(({ shown_by }) => shown_by === 'a rival')
/** The house is built by then, and the first pass begins. */
const AT_WORK = 'open/file.look#1:before'

const MAX_RACES = 8

const workshop = openWorkshop()
afterAll(() => workshop.close())

/** How many of two that start together come to work while the other may, too: each stops there, and holds what it holds. */
async function atWorkTogether(bug: string | null): Promise<number> {
  const folder = workshop.folder()
  const order: Order = { folder, steps: ['open'], fault: null, bug, manner: 'plain' }
  // Killed, it leaves whatever a dead daemon leaves.
  const dead = await runChild({ ...order, fault: { point: AT_WORK, deed: 'kill' } })
  expect(dead.how, dead.said).toBe('killed')
  const rivals = [1, 2].map(() => rival({ ...order, stops: [AT_WORK] }))
  const came = await Promise.all(rivals.map(({ came }) => came))
  for (const { child } of rivals) killGroup(child.pid!)
  await Promise.all(rivals.map(({ closed }) => closed))
  return came.filter(Boolean).length
}

function rival(order: Order) {
  const child = spawn(process.execPath, childProgram(order), {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: childEnv(),
  })
  const closed = once(child, 'close')
  const stopped = new Promise<boolean>((resolve) =>
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes(STOPPING)) resolve(true)
    }),
  )
  return { child, closed, came: Promise.race([stopped, closed.then(() => false)]) }
}

it('of two daemons that start together one works', { timeout: MAX_MS }, async () => {
  expect(await atWorkTogether(null)).toBe(1)
})

it.each(SEEDED)('that a house $name shows', { timeout: MAX_MS }, async ({ name }) => {
  // A race is won by chance: once is proof enough that the bug is there, and a sound lock never loses one.
  let most = 0
  for (let races = 0; races < MAX_RACES && most < 2; races++)
    most = Math.max(most, await atWorkTogether(name))
  expect(most).toBe(2)
})
