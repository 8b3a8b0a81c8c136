/** What `npm run quickstart` does once the daemon listens: applies the sample estate and says where everything is. */
import { readFileSync } from 'node:fs'
import { yamlDocuments } from './adapters/yaml/documents.ts'
import { expectGood } from './cli/api.ts'
import { remoteApi } from './cli/remote-api.ts'
import type { House } from './house.ts'
import { Failure } from './kernel/failure.ts'
import { faultText, readEstate } from './operations/estate/read.ts'

const SAMPLE = new URL('../fixtures/estates/sample.yaml', import.meta.url)

export async function quickstart(house: House, address: string): Promise<void> {
  const api = remoteApi(address, house.key)
  const applied = await expectGood<{ message: string; release: number }>(api, {
    method: 'POST',
    path: '/api/estate',
    body: { domains: sampleEntries() },
  })
  const key = house.key_path === null ? '$API_KEY' : `$(cat ${house.key_path})`
  process.stdout.write(
    [
      '',
      `  Plumbline is running. ${applied.message}`,
      '',
      `  routes file   ${house.routes_path}`,
      `  API           ${address}/api/domains`,
      `  API docs      ${address}/docs`,
      `  API key       ${house.key_path ?? 'from API_KEY'}`,
      '',
      '  Try, in another terminal:',
      `    curl -s -H "X-API-Key: ${key}" ${address}/api/domains/drift`,
      `    echo "# oops" >> ${house.routes_path}    # undone within two seconds`,
      '    npm run -s plumbline -- drift',
      '',
      '  Ctrl-C stops it. What it keeps is in the data directory; start it again with npm start.',
      '',
      '',
    ].join('\n'),
  )
}

function sampleEntries(): readonly Record<string, unknown>[] {
  const read = yamlDocuments.read(readFileSync(SAMPLE, 'utf8'))
  if (!read.ok) throw new Failure('internal', `the sample estate is not readable: ${read.msg}`)
  const estate = readEstate(read.data)
  if (!estate.ok) throw new Failure('internal', estate.faults.map(faultText).join('\n'))
  return estate.entries.map(({ input, status }) => ({ ...input, status }))
}
