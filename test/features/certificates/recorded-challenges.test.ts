/** What DNS hears of the TXT records that orders under way may have left. */
import { expect, it } from 'vitest'
import { issuerModule, type IssuerModuleParts } from '../../../src/features/certificates/issuer-wiring.ts'
import { certificateRecords } from '../../../src/features/certificates/records.ts'
import { loadConfig } from '../../../src/settings-wiring.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { openStore } from '../../../src/store/open.ts'
import { newFolder } from '../../kit/new-folder.ts'

it('is what stands in the rows of orders, over a restart too', async () => {
  const directory = newFolder('recorded')
  const [clock, log] = [systemClock, silentLog]
  const store = await openStore({ directory, log, clock })
  const { settings } = loadConfig({ PLUMBLINE_DATA_DIR: directory })
  const challenges = { recorded: async (): Promise<readonly unknown[]> => [] }
  const dns = { challenges, service: { zoneFor: () => null } } as unknown as IssuerModuleParts['dns']
  const files = {} as IssuerModuleParts['files']
  const module = await issuerModule('https://127.0.0.1:9/dir', { settings, store, files, dns, clock, log })
  const record = {
    name: '_acme-challenge.example.com',
    value: 'x',
    challenge_url: 'u',
    authorization_url: 'v',
  }
  const order = {
    id: 'o',
    name: 'example.com',
    names: ['example.com'],
    directory: 'https://127.0.0.1:9/dir',
    rehearsal: false,
    replaces: null,
    step: 'presented',
    order_url: null,
    challenges: [record],
    reason: 'new',
    started_at: 1,
    updated_at: 1,
  } as const
  await store.write((tx) => tx.of(certificateRecords).saveOrder(order))
  expect(await challenges.recorded()).toEqual([record])
  await store.write((tx) => tx.of(certificateRecords).dropOrder('o'))
  expect(await challenges.recorded()).toEqual([])
  await module.close()
  await store.close()
})
