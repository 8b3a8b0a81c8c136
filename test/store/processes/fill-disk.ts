/**
 * Lives through a full and through a read-only disk. Started in a mount namespace of its own, with the folder of a small
 * temporary file system; prints what it saw as one line of JSON.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../src/store/open.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { plainFields } from '../../contract/protocol-rules.ts'

const mount = process.argv[2]!
const directory = join(mount, 'data')
const MOUNT = 'mount'
const ballast = join(mount, 'ballast')
const open = () => openStore({ directory, log: silentLog, clock: systemClock })

const told = async (work: () => Promise<unknown>) => {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { code: error.code, message: error.message }
  }
}

writeFileSync(ballast, Buffer.alloc(1 << 20))
let store = await open()
let acknowledged = 0
const save = () =>
  store.write(async (tx) => {
    await tx.insertDomain(
      { ...plainFields, domain: `n${acknowledged}.example.com`, note: 'x'.repeat(900) },
      1,
    )
    await tx.insertDomain(
      { ...plainFields, domain: `m${acknowledged}.example.com`, note: 'x'.repeat(900) },
      1,
    )
  })
let full = null
while (full === null && acknowledged < 10_000) {
  full = await told(save)
  if (full === null) acknowledged++
}
const count = async () => ({
  rows: (await store.domains({ sort: 'id', limit: 1 })).total,
  remembered: (await store.intent('working')).rows.length,
})
const when_full = await count()
const still_full = await told(save)
rmSync(ballast)
const after_space = await told(save)
if (after_space === null) acknowledged++
await store.close()
store = await open()
const reopened = await count()
await store.close()

writeFileSync(ballast, '')
const fill = await told(async () => {
  for (let size = 1 << 20; size >= 1; size >>= 1)
    for (;;)
      try {
        writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
      } catch {
        break
      }
})
const open_on_full = await told(async () => (await open()).close())
rmSync(ballast)
execFileSync(MOUNT, ['-o', 'remount,ro', mount])
const open_on_read_only = await told(async () => (await open()).close())
const new_on_read_only = await told(async () => {
  await openStore({ directory: join(mount, 'new'), log: silentLog, clock: systemClock })
})

process.stdout.write(
  JSON.stringify({
    acknowledged,
    full,
    when_full,
    still_full,
    after_space,
    reopened,
    fill,
    open_on_full,
    open_on_read_only,
    new_on_read_only,
  }),
)
