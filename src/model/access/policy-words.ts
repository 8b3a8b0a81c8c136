/** Where it is said who gets in behind the sign-in, for whoever looks for it among the fields of a record. */

const WORDS: ReadonlySet<string> = new Set([
  '2fa',
  'access_policy',
  'bypass',
  'group',
  'groups',
  'mfa',
  'one_factor',
  'policies',
  'policy',
  'sso_policy',
  'totp',
  'two_factor',
])

/** A policy, its groups or its open paths, in any spelling: `two-factor`, `no-policy`. */
export const isPolicyWord = (word: string): boolean =>
  WORDS.has(word.toLowerCase().replaceAll('-', '_').replace(/^no_/, ''))

export const POLICY_WORDS =
  'Two factors, groups and open paths are no fields of a record: PLUMBLINE_SSO_POLICY says the policy of all, and the file of PLUMBLINE_SSO_POLICIES_FILE that of single domains, both read at the start. "plumbline config PLUMBLINE_SSO_POLICIES_FILE" shows its format.'
