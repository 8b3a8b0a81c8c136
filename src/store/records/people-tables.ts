/** Columns of what is kept of people and mails. They mirror `schema/0005-people.sql`. */
import type { MailRecord } from '../../ports/records/mail.ts'
import type { InvitationStep, Person } from '../../ports/records/people.ts'

export interface PeopleTables {
  people: PeopleTable
  invitations: {
    username: string
    step: InvitationStep
    mail_key: string
    detail: string | null
    failures: number
    updated_at: number
  }
  mails: MailsTable
  people_debts: { name: string; since: number }
}

interface PeopleTable {
  username: string
  origin: Person['origin']
  display_name: string
  email: string
  groups: string | null
  revoked_at: number | null
  password_hash: string | null
  written_at: number | null
  created_at: number
  updated_at: number
}

interface MailsTable {
  id: string
  key: string
  message_id: string
  from_address: string
  recipients: number
  state: MailRecord['state']
  detail: string | null
  provider_id: string | null
  begun_at: number
  ended_at: number | null
}
