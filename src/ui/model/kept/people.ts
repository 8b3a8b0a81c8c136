/** People as rows: where each stands, and how far an invitation is. Pure. */
import type { User } from '../../api/types.ts'
import { needsSomebody, WAITING, type Lamp } from '../lamps.ts'
import { statesOf, type ListingFields } from '../table/listing.ts'
import { causeMeans, causeTitle } from '../words.ts'
import { hayOf, NAMES } from './order.ts'

export type Standing = 'active' | 'invited' | 'disabled' | 'revoked' | 'unknown'

export interface PersonRow {
  readonly key: string
  readonly name: string
  readonly standing: Standing
  readonly lamp: Lamp
  readonly hay: string
  readonly of: User
}

export const STANDINGS = [
  ['active', 'May sign in'],
  ['invited', 'Invitation under way'],
  ['disabled', 'Disabled'],
  ['revoked', 'Revoked'],
  ['unknown', 'Unknown'],
] as const satisfies readonly (readonly [Standing, string])[]

const STANDING_WORDS = new Map<Standing, string>(STANDINGS)

export const standingText = (standing: Standing): string => STANDING_WORDS.get(standing)!.toLowerCase()

export function standingOf({ revoked_at, disabled, invitation }: User): Standing {
  if (revoked_at !== null) return 'revoked'
  if (invitation !== null && invitation.step !== 'done') return 'invited'
  return disabled === null ? 'unknown' : disabled ? 'disabled' : 'active'
}

/** Nobody is well whose entry was not read, and a mail of which nobody knows is no invitation that arrived. */
export function lampOfPerson(user: User): Lamp {
  const { cause, disabled, drift, invitation, revoked_at, unproven } = user
  if (cause !== null) return WAITING.has(cause) ? 'pending' : 'drift'
  if (disabled === null) return 'unknown'
  if (revoked_at !== null) return !disabled ? 'drift' : unproven === null ? 'off' : 'unknown'
  if (invitation !== null && invitation.step !== 'done') return invitation.detail === null ? 'moving' : 'bad'
  if (disabled) return 'off'
  if (invitation !== null && invitation.mail !== 'sent') return mailLamp(invitation)
  return drift === null && user.origin === 'invited' ? 'unknown' : 'ok'
}

const mailLamp = ({ mail }: Pick<NonNullable<User['invitation']>, 'mail'>): Lamp =>
  mail === 'not_known' ? 'unknown' : 'bad'

export const personRows = (users: readonly User[]): readonly PersonRow[] =>
  users
    .map((user) => {
      const standing = standingOf(user)
      return {
        key: user.username,
        name: user.display_name ?? user.username,
        standing,
        lamp: lampOfPerson(user),
        hay: hayOf(user.username, user.display_name, user.email, standingText(standing), ...user.groups),
        of: user,
      }
    })
    .toSorted(byName)

const byName = (a: PersonRow, b: PersonRow): number =>
  NAMES.compare(a.name, b.name) || NAMES.compare(a.key, b.key)

export const PERSON_FIELDS: ListingFields<PersonRow> = {
  words: ({ hay }) => hay,
  keys: { group: ({ of }) => of.groups },
  is: {
    ...statesOf(STANDINGS, ({ standing }: PersonRow) => standing),
    wrong: ({ lamp }) => needsSomebody(lamp),
  },
}

const STEPS = [
  ['planned', 'The user name is taken'],
  ['hashed', 'A password that nobody knows is hashed'],
  ['written', 'The users file has the person'],
  ['loaded', 'The sign-in page knows the person'],
  ['done', 'The mail is sent'],
] as const

/** The steps of an invitation, up to the last one that is done; none where nobody was invited. */
export function invitationSteps({ invitation, invited_at }: Pick<User, 'invitation' | 'invited_at'>) {
  if (invitation === null || invited_at === null) return []
  const at = STEPS.findIndex(([step]) => step === invitation.step)
  const isOver = invitation.step === 'done'
  return STEPS.map(([key, text], index) => ({
    key,
    text: key === 'done' && isOver && invitation.detail !== null ? invitation.detail : text,
    lamp:
      isOver && index === at && invitation.mail !== 'sent'
        ? mailLamp(invitation)
        : stepLamp(index - at, invitation.detail),
    took_ms: null,
  }))
}

function stepLamp(from_last: number, detail: string | null): Lamp | 'todo' {
  if (from_last <= 0) return 'ok'
  if (from_last > 1) return 'todo'
  return detail === null ? 'moving' : 'bad'
}

/** What is in the way, or what is unusual; null for who may sign in and nothing else is to be said. */
export function personText({ of: user, standing, lamp }: PersonRow): string | null {
  if (user.cause !== null) return `${causeTitle(user.cause)}. ${causeMeans(user.cause)}`
  if (standing === 'revoked' && user.unproven !== null) return user.unproven
  const detail = user.invitation?.detail ?? null
  if (detail !== null) return detail
  if (lamp === 'unknown') return 'The users file could not be read.'
  if (standing === 'revoked') return 'May not sign in any more, for good.'
  if (standing === 'disabled') return 'The users file says that they cannot sign in.'
  return standing === 'invited' ? 'The invitation is on its way.' : null
}

export const groupsOf = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((word) => word !== '')),
]

/** Every group that anybody is in. */
export const allGroups = (users: readonly User[]): readonly string[] =>
  [...new Set(users.flatMap(({ groups }) => groups))].toSorted(NAMES.compare)

/** Where they stand, in a row: an invitation that is held up or whose mail did not go is none that is under way. */
export function standingOfRow({ standing, of: { invitation } }: Pick<PersonRow, 'standing' | 'of'>): string {
  if (invitation === null || invitation.detail === null) return standingText(standing)
  if (standing === 'invited') return 'invitation held up, tried again'
  if (standing !== 'active' || invitation.mail === 'sent') return standingText(standing)
  return invitation.mail === 'not_known'
    ? 'may sign in; the mail is not known'
    : 'may sign in; the mail failed'
}

/** Over the mail, once the invitation was pressed. */
export function mailTitle({ invitation }: Pick<User, 'invitation'>): string {
  if (invitation?.mail === 'sent') return 'The mail as it went'
  return invitation?.mail === 'not_known'
    ? 'The mail; whether it went is not known'
    : 'The mail, which has not gone out'
}
