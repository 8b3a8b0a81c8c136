/** What an anonymous request meets, and what that proves. */
import { expect, it } from 'vitest'
import type { ProbeAnswer } from '../../../../src/features/sso/probe-port.ts'
import { type ProofRequest, evaluateAnswer } from '../../../../src/features/sso/proof/evaluate.ts'

const HOST = 'app.example.com'
const BACK = encodeURIComponent(`https://${HOST}/`)
const ASKED: ProofRequest = {
  door: 'tls',
  host: HOST,
  by_address: false,
  by_own_check: false,
  provider: null,
}
const PLAIN: ProofRequest = { ...ASKED, door: 'plain' }
const answer = (status: number, location: string | null = null): ProbeAnswer => ({
  status,
  location,
  words: status === 400 ? '400 Bad Request' : null,
})

it.each<[number, string | null, string]>([
  [302, `https://auth.example.com/?rd=${BACK}&rm=GET`, 'closed'],
  [303, `https://auth.example.com/?rd=${BACK}`, 'closed'],
  [401, null, 'closed'],
  [403, null, 'closed'],
  [200, null, 'open'],
  [204, null, 'open'],
  [206, null, 'open'],
  [302, '/login', 'open'],
  [302, `https://${HOST}/?rd=${BACK}`, 'open'],
  [302, `//${HOST}/app`, 'open'],
  [301, `http://${HOST}/`, 'open'],
  [304, null, 'open'],
  [302, 'https://auth.example.com/?rd=https%3A%2F%2Felse.example.com%2F', 'unknown'],
  [301, `https://auth.example.com/?rd=${BACK}`, 'unknown'],
  [302, 'https://accounts.example.net/oauth', 'unknown'],
  [404, null, 'unknown'],
  [400, null, 'unknown'],
  [500, null, 'unknown'],
])('%i %s: %s', (status, location, result) => {
  const seen = evaluateAnswer(answer(status, location), ASKED)
  expect(seen.result).toBe(result)
  expect(seen.evidence).not.toContain('rd=')
})

it.each<[string, number, string | null, string]>([
  ['a redirect to https proves nothing', 301, `https://${HOST}/`, 'passed_on'],
  ['a redirect to https of another host is somebody else', 301, 'https://other.example.com/', 'unknown'],
  ['a redirect within plain http is a page of the backend', 302, `http://${HOST}/login`, 'open'],
  ['a relative redirect is a page of the backend', 302, '/login', 'open'],
  ['content over plain http is content', 200, null, 'open'],
])('over plain http %s', (_, status, location, result) => {
  expect(evaluateAnswer(answer(status, location), PLAIN).result).toBe(result)
})

it.each<[string, ProbeAnswer | null, string]>([
  ['in the words of the provider', answer(400), 'closed'],
  ['in other words', { ...answer(400), words: 'The plain HTTP request was sent to HTTPS port' }, 'unknown'],
  ['while the provider would send to sign in', answer(302, 'https://auth.example.com/'), 'unknown'],
  ['while the provider does not answer', null, 'unknown'],
])('a 400 %s', (_, provider, result) => {
  expect(evaluateAnswer(answer(400), { ...PLAIN, provider }).result).toBe(result)
})

it('a 403 proves nothing where a list of addresses may have given it', () => {
  expect(evaluateAnswer(answer(403), { ...ASKED, by_address: true }).result).toBe('unknown')
  expect(evaluateAnswer(answer(401), { ...ASKED, by_address: true }).result).toBe('closed')
})

it.each<[string, number, number | null, string]>([
  ['as the provider refuses, too', 401, 401, 'closed'],
  ['as the provider denies it to everybody', 403, 403, 'closed'],
  ['where the provider does not answer', 401, null, 'closed'],
  ['where the provider has trouble of its own', 401, 502, 'closed'],
  ['where the provider sends to sign in', 401, 302, 'unknown'],
  ['where the provider sends to sign in', 403, 303, 'unknown'],
  ['where the provider refuses plain http', 401, 400, 'unknown'],
  ['where the provider lets everybody in', 401, 200, 'unknown'],
])('a refusal %s: %i and %s', (_, status, provider, result) => {
  const asked = { ...ASKED, provider: provider === null ? null : answer(provider) }
  const seen = evaluateAnswer(answer(status), asked)
  expect(seen.result).toBe(result)
  if (result === 'unknown') expect(seen.evidence).toContain(`it answers ${provider} to the same`)
  // A password that is asked for before the provider is the route's own.
  expect(evaluateAnswer(answer(status), { ...asked, by_own_check: true }).result).toBe('closed')
})
