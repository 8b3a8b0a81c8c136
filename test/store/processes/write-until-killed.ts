/** Saves one record after another in the directory that it is given and says each number once it is acknowledged. */
import { writeSync } from 'node:fs'
import { openStore } from '../../../src/store/open.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { rowOf } from '../../../src/model/intent.ts'
import { plainFields } from '../../contract/protocol-rules.ts'
import { draft } from '../../contract/store/samples.ts'

const store = await openStore({ directory: process.argv[2]!, log: silentLog, clock: systemClock })
for (let i = 1; ; i++) {
  await store.write(async (tx) => {
    const record = await tx.insertDomain({ ...plainFields, domain: `n${i}.example.com` }, 1)
    const bytes = Buffer.from(`routes ${i}`)
    const row = { domain_id: record.id, row: rowOf(record) }
    await tx.addRelease(draft([row], { routes: { digest: String(i), chunks: [bytes] } }))
  })
  writeSync(1, `${i}\n`)
}
