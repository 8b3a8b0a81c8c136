/** One site token as the open transaction sees it, or the failure that says it is not there. */
import { Failure } from '../../../kernel/failure.ts'
import { ddnsRecords, type DdnsToken } from '../records.ts'
import type { StoreReader } from '../../../ports/store.ts'

export async function findToken(reader: StoreReader, id: string): Promise<DdnsToken> {
  const token = (await reader.of(ddnsRecords).ddnsTokens()).find((one) => one.id === id)
  if (token === undefined)
    throw new Failure('not_found', 'There is no site token with this id. The list of tokens has the ids.')
  return token
}
