/** Text of strangers is shown without what opens something, and everything else of it as it is. */
import { expect, it } from 'vitest'
import { MARK, SECRET_TEXTS } from '../../io/log/canaries.ts'
import { hideInDiff, hideSecrets } from '../../../src/kernel/text/hide-secrets.ts'

const SECRET = 'hunter2hunter2'

it.each([
  `password: ${SECRET}`,
  `      X-Api-Key: "${SECRET}"`,
  `  clientSecret: ${SECRET}`,
  `  Authorization: Bearer ${SECRET}`,
  `  rule: Header(\`x\`, \`Bearer ${SECRET}\`)`,
  `users:\n  - "bob:$apr1$${SECRET}"`,
  `users:\n- bob:${SECRET}`,
  `token: |\n  ${SECRET}\n  ${SECRET}`,
  `  - "bob:$2y$05$${SECRET}"`,
  `  - bob:{SHA}${SECRET}`,
  `  url: http://ana:${SECRET}@10.0.0.1:80/`,
  `  url: http://10.0.0.1/?token=${SECRET}`,
  `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
  `  key: |\n    -----BEGIN RSA PRIVATE KEY-----\n    ${SECRET}`,
])('hides %j', (text) => {
  const hidden = hideSecrets(text)
  expect(hidden).not.toContain(SECRET)
  expect(hidden.split('\n')).toHaveLength(text.split('\n').length)
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n${text.replace(/^/gm, '-')}`
  expect(hideInDiff(diff)).not.toContain(SECRET)
})

it.each(Object.entries(SECRET_TEXTS))('hides what the log hides: %s', (_kind, text) => {
  expect(text).toContain(MARK)
  expect(hideSecrets(text)).not.toContain(MARK)
  expect(hideInDiff(text.replace(/^/gm, '+'))).not.toContain(MARK)
})

it.each(['pass', 'api_', '- ', '$1$', '{SHA', 'eyJ', '//a', 'users: '])(
  'comes to an end with a line that was made of %j to keep it busy',
  (part) => {
    expect(hideSecrets(part.repeat(100_000 / part.length))).toBeTypeOf('string')
  },
)

it.each([
  '    "plumbline-site_token.example.com":\n      rule: "Host(`token.example.com`)"\n      service: x',
  'http:\n  routers:\n    "a":\n      priority: 7\n',
  'A app.example.com ttl 300',
  '      loadBalancer:\n        passHostHeader: true\n        servers:\n          - url: "http://10.0.0.1:80"\n',
])('leaves %j as it is', (text) => {
  expect(hideSecrets(text)).toBe(text)
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n${text.replace(/^/gm, '+')}`
  expect(hideInDiff(diff)).toBe(diff)
})
