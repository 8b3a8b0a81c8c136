/** A domain as a person names it on the command line: its id or its name. */
import { type Api, expectGood } from './api.ts'

export async function domainId(api: Api, word: string): Promise<number> {
  if (/^[0-9]{1,15}$/.test(word)) return Number(word)
  const path = `/api/domains/by-name/${encodeURIComponent(word)}`
  return (await expectGood<{ id: number }>(api, { method: 'GET', path })).id
}

/** The call that deploys one domain, or everything when none is named. */
export const deployPath = async (api: Api, word: string | undefined): Promise<string> =>
  word === undefined ? '/api/deploy-all' : `/api/domains/${await domainId(api, word)}/deploy`
