/** What an invited person is told. No password is in it: everybody sets their own by the reset of the sign-in page. Pure. */
import type { Person } from '../records.ts'

export interface Instructions {
  readonly subject: string
  readonly text: string
}

export function instructionsFor(
  { username, display_name }: Pick<Person, 'username' | 'display_name'>,
  portal_url: string | null,
): Instructions {
  const where = portal_url === null ? 'Open the sign-in page' : `Open ${portal_url}`
  return {
    subject: 'You have been invited',
    text: [
      `Hello ${display_name},`,
      '',
      'an account has been made for you.',
      '',
      `User name: ${username}`,
      '',
      `1. ${where}.`,
      '2. Choose "Reset password?" and enter your user name.',
      '3. A mail with a link comes to this address. Follow it and set a password of your own.',
      '',
      'If you did not expect this mail, ignore it.',
      '',
    ].join('\n'),
  }
}
