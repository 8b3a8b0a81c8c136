/** What an anonymous request meets, and what that proves. */
import { expect, it } from 'vitest'
import { judgeAnswer } from '../../../src/targets/sso-proof/judge.ts'

const HOST = 'app.example.com'
const BACK = encodeURIComponent(`https://${HOST}/`)

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
  [304, null, 'open'],
  [302, 'https://auth.example.com/?rd=https%3A%2F%2Felse.example.com%2F', 'unknown'],
  [301, `https://auth.example.com/?rd=${BACK}`, 'unknown'],
  [302, 'https://accounts.example.net/oauth', 'unknown'],
  [404, null, 'unknown'],
  [400, null, 'unknown'],
  [500, null, 'unknown'],
])('%i %s: %s', (status, location, verdict) => {
  const seen = judgeAnswer({ status, location }, HOST)
  expect(seen.verdict).toBe(verdict)
  expect(seen.evidence).not.toContain('rd=')
})
