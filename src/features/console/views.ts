/** The shapes that the sign-in of the console takes and answers. */
import { z } from 'zod'
import { instant } from '../../http/body/scalars.ts'

const may = () => z.enum(['change', 'read']).describe('read: may look at everything and change nothing')

export const SignedIn = z
  .object({
    actor: z.string().describe('As the audit trail names it: sso:ana, session:1f3c'),
    way: z
      .enum(['sso', 'link', 'key', 'header'])
      .describe(
        'How: by the SSO provider, by a link, by a key on the sign-in page, or X-API-Key with each call',
      ),
    may: may(),
    groups: z.array(z.string()).describe('Of a person who has signed in at the SSO provider'),
    expires_at: instant().nullable().describe('Null where it is not ended here'),
    sign_out: z.string().nullable().describe('Where the browser goes to sign out; null: DELETE this path'),
  })
  .meta({ id: 'SignedIn' })

export const BegunSession = SignedIn.extend({
  secret: z
    .string()
    .describe(
      'Shown this once. With the cookie, X-Plumbline-Session-Secret sends it along where something is changed',
    ),
}).meta({ id: 'BegunSession' })

const shown = (what: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(1024, 'must be at most 1024 characters')
    .describe(what)
    .optional()

export const SignIn = z
  .strictObject({ key: shown('An API key'), code: shown('The code of a sign-in link') })
  .refine(
    ({ key, code }) => (key === undefined) !== (code === undefined),
    'needs a key or a code, and not both',
  )
  .meta({
    id: 'SignIn',
    examples: [{ code: 'gJhk3cQ7Rr1mXv9d1nq0c0h6bXnq5mZ2bq7z1w8yT4A' }],
    minProperties: 1,
    maxProperties: 1,
  })

export const SignedOut = z.object({ success: z.literal(true), message: z.string() }).meta({ id: 'SignedOut' })

export const SignInCode = z
  .object({
    code: z.string().describe('It is shown this once, works once, and only on the host that asked for it'),
    expires_at: instant(),
  })
  .meta({ id: 'SignInCode' })

export const Session = z
  .object({
    id: z.string(),
    actor: z.string().describe('As the audit trail names it'),
    way: z.enum(['link', 'key']),
    may: may(),
    key: z.string().describe('The name of the API key on which it rests: it ends with it'),
    client: z.string().describe('From where it was begun'),
    agent: z.string().nullable().describe('How the browser called itself'),
    created_at: instant(),
    used_at: instant(),
    expires_at: instant().describe('12 hours after it was used last, 7 days after it was begun at most'),
    is_this: z.boolean().describe('It is the one that asks'),
  })
  .meta({ id: 'Session' })
