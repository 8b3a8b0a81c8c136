/** The store contract: people, invitations on their way, debts, and mails. */
import { expect, test } from 'vitest'
import { type MailRecord, mailRecords } from '../../../src/features/mail/records.ts'
import { type Invitation, peopleRecords, type Person } from '../../../src/features/people/records.ts'
import { debtRecords } from '../../../src/features/sso/records.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'

const JO: Person = {
  username: 'jo',
  origin: 'invited',
  display_name: 'Jo "the" Müller',
  email: 'jo@example.net',
  groups: ['a', 'b'],
  revoked_at: null,
  password_hash: '$argon2id$x',
  written_at: null,
  disabled: false,
  created_at: 5,
  updated_at: 6,
}

const INVITATION: Invitation = {
  username: 'jo',
  step: 'planned',
  mail_key: 'invitation/jo/1',
  detail: null,
  mail: null,
  failures: 0,
  updated_at: 6,
}

const MAIL: MailRecord = {
  id: 'm1',
  key: 'k1',
  message_id: '<m1@example.net>',
  from_address: 'a@example.net',
  recipients: 2,
  state: 'begun',
  detail: null,
  provider_id: null,
  begun_at: 100,
  ended_at: null,
}

export function peopleContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)

  test('a store without people and mails says so in each answer', async () => {
    const { store } = opened
    expect(await store.of(peopleRecords).people()).toEqual([])
    expect(await store.of(peopleRecords).person('jo')).toBeNull()
    expect(await store.of(peopleRecords).openInvitations()).toEqual([])
    expect(await store.of(peopleRecords).invitation('jo')).toBeNull()
    expect(await store.of(debtRecords).debt('x')).toBeNull()
    expect(await store.of(mailRecords).mailByKey('k1')).toBeNull()
    expect(await store.of(mailRecords).mailsSince(0, 1000)).toEqual({ count: 0, oldest: null })
    expect(await store.of(mailRecords).lastMail('sent')).toBeNull()
  })

  test('people are kept by name, the last word wins, and a dropped one takes the invitation along', async () => {
    const al: Person = {
      ...JO,
      username: 'al',
      origin: 'file',
      groups: null,
      disabled: null,
      revoked_at: 9,
      password_hash: null,
    }
    await write(async (tx) => {
      await tx.of(peopleRecords).savePerson(JO)
      await tx.of(peopleRecords).saveInvitation(INVITATION)
      await tx.of(peopleRecords).savePerson({ ...JO, written_at: 7, password_hash: null, disabled: true })
      await tx.of(peopleRecords).savePerson(al)
    })
    expect(await opened.store.of(peopleRecords).people()).toEqual([
      al,
      { ...JO, written_at: 7, password_hash: null, disabled: true },
    ])
    await write((tx) => tx.of(peopleRecords).dropPerson('jo'))
    expect(await opened.store.of(peopleRecords).people()).toEqual([al])
    expect(await opened.store.of(peopleRecords).invitation('jo')).toBeNull()
  })

  test('invitations that are done are not open, and the oldest come first', async () => {
    const al = { ...INVITATION, username: 'al', updated_at: 3, step: 'written' as const }
    const ended = { step: 'done', detail: 'x', mail: 'not_known' } as const
    await write(async (tx) => {
      for (const username of ['jo', 'al', 'bo']) await tx.of(peopleRecords).savePerson({ ...JO, username })
      await tx.of(peopleRecords).saveInvitation(INVITATION)
      await tx.of(peopleRecords).saveInvitation(al)
      await tx.of(peopleRecords).saveInvitation({ ...INVITATION, username: 'bo', ...ended })
    })
    expect(await opened.store.of(peopleRecords).openInvitations()).toEqual([al, INVITATION])
    expect(await opened.store.of(peopleRecords).invitation('bo')).toMatchObject(ended)
  })

  test('a debt moves forward, and settling it takes only what was owed until then', async () => {
    await write((tx) => tx.of(debtRecords).owe('x', 10))
    await write((tx) => tx.of(debtRecords).owe('x', 20))
    expect(await opened.store.of(debtRecords).debt('x')).toBe(20)
    await write((tx) => tx.of(debtRecords).settleDebt('x', 19))
    expect(await opened.store.of(debtRecords).debt('x')).toBe(20)
    await write((tx) => tx.of(debtRecords).settleDebt('x', 20))
    expect(await opened.store.of(debtRecords).debt('x')).toBeNull()
  })

  test('a mail moves on by its id, and a second one under its key is refused', async () => {
    await write((tx) => tx.of(mailRecords).saveMail(MAIL))
    const sent = { ...MAIL, state: 'sent' as const, provider_id: 'p', ended_at: 110 }
    await write((tx) => tx.of(mailRecords).saveMail(sent))
    expect(await opened.store.of(mailRecords).mailByKey('k1')).toEqual(sent)
    await failureOf(
      write((tx) => tx.of(mailRecords).saveMail({ ...MAIL, id: 'm2' })),
      'conflict',
    )
    expect(await opened.store.of(mailRecords).lastMail('sent')).toEqual(sent)
  })

  test('mails are counted within a time, and forgotten when they have ended long ago', async () => {
    await write(async (tx) => {
      for (const begun_at of [10, 20, 30])
        await tx
          .of(mailRecords)
          .saveMail({ ...MAIL, id: `m${begun_at}`, key: `k${begun_at}`, begun_at, state: 'sent' })
    })
    expect(await opened.store.of(mailRecords).mailsSince(10, 30)).toEqual({ count: 2, oldest: 20 })
    await write((tx) => tx.of(mailRecords).forgetMails(30))
    expect(await opened.store.of(mailRecords).mailsSince(0, 30)).toEqual({ count: 1, oldest: 30 })
  })

  test('mails of a clock that was ahead are not counted before their time, and kept', async () => {
    await write(async (tx) => {
      for (const begun_at of [20, 90])
        await tx
          .of(mailRecords)
          .saveMail({ ...MAIL, id: `m${begun_at}`, key: `k${begun_at}`, begun_at, state: 'sent' })
    })
    expect(await opened.store.of(mailRecords).mailsSince(10, 20)).toEqual({ count: 1, oldest: 20 })
    await write((tx) => tx.of(mailRecords).forgetMails(15))
    expect(await opened.store.of(mailRecords).mailByKey('k90')).toMatchObject({ id: 'm90' })
  })

  test('what was on its way at the end of a process is unknown, what was only begun is not out', async () => {
    const states = ['begun', 'sending', 'sent', 'refused', 'unknown'] as const
    await write(async (tx) => {
      for (const state of states) await tx.of(mailRecords).saveMail({ ...MAIL, id: state, key: state, state })
    })
    expect(await write((tx) => tx.of(mailRecords).interruptMails(500))).toBe(2)
    const after = await Promise.all(
      states.map(async (key) => (await opened.store.of(mailRecords).mailByKey(key))?.state),
    )
    expect(after).toEqual(['refused', 'unknown', 'sent', 'refused', 'unknown'])
    expect((await opened.store.of(mailRecords).mailByKey('sending'))?.ended_at).toBe(500)
  })
}
