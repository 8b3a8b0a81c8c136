/** The rules across fields: the model's check and the table constraints give the same verdict on every input. */
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import type { DomainFields } from '../../src/model/domain/record.ts'
import { checkNew, type Offer } from '../../src/model/domain/rules.ts'
import type { Store } from '../../src/ports/store.ts'
import { everyRuleInput, protocolRuleCases } from '../contract/protocol-rules.ts'
import { itOneIn } from '../kit/in-depth.ts'
import { eachScratch } from './scratch.ts'

const OFFER: Offer = {
  tcp_entrypoints: ['postgres'],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set(),
}

const modelAllows = (fields: DomainFields): boolean => checkNew({ ...fields }, OFFER).ok

/** Tries the record and takes it back, so that every case meets an empty table. */
async function databaseAllows(store: Store, fields: DomainFields): Promise<boolean> {
  const taken_back = new Error('taken back')
  const error: unknown = await store
    .write(async (tx) => {
      await tx.insertDomain(fields, 1)
      throw taken_back
    })
    .catch((thrown: unknown) => thrown)
  if (error === taken_back) return true
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ code: 'internal' })
  return false
}

describe('a rule stands in the model and in the database alike', () => {
  const scratch = eachScratch()

  itOneIn(3).each(protocolRuleCases)('$name: allowed is $allowed', async ({ fields, allowed }) => {
    const store = await scratch.open(scratch.directory())
    expect(modelAllows(fields)).toBe(allowed)
    expect(await databaseAllows(store, fields)).toBe(allowed)
  })

  test('on every combination of what the rules look at', async () => {
    const store = await scratch.open(scratch.directory())
    const inputs = everyRuleInput()
    const verdicts = { allowed: 0, refused: 0 }
    for (const fields of inputs) {
      const allowed = modelAllows(fields)
      expect({ fields, allowed: await databaseAllows(store, fields) }).toEqual({ fields, allowed })
      verdicts[allowed ? 'allowed' : 'refused']++
    }
    expect(verdicts.allowed).toBeGreaterThan(50)
    expect(verdicts.refused).toBeGreaterThan(200)
  })
})
