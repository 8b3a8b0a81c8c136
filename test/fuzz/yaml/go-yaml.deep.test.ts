/** The last word has the reader: real go-yaml over what we write, and beside our judgement of what strangers write. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import fc from 'fast-check'
import { usersDocuments } from '../../../src/features/people/users-file/documents.ts'
import { goYaml } from '../../peers/go-yaml/go-yaml.ts'
import { describePeers } from '../../peers/peers.ts'
import { runs } from '../../kit/tier.ts'
import { openTestHouse } from '../../flows/test-house.ts'
import { peopleWorld } from '../../flows/people-world.ts'
import { personNameFault } from '../../../src/model/network/mailbox.ts'
import { oddNames } from './names.ts'
import { strangersUsers } from './strangers.ts'
import { written } from './written.ts'

const IN_ONE_FILE = 250

const isOfType = (refused: string): boolean => refused.includes('cannot unmarshal')

describePeers(['go'], 'real go-yaml', () => {
  it('reads 5,000 odd names as they were, wherever we write them', { timeout: 600_000 }, async () => {
    await using go = goYaml()
    const names = oddNames(runs(5000))
    expect(names).toHaveLength(runs(5000))
    for (let at = 0; at < names.length; at += IN_ONE_FILE)
      for (const { what, form, text, found, expected } of written(names.slice(at, at + IN_ONE_FILE))) {
        const read = await go.read(form, text)
        if ('refused' in read) throw new Error(`${what}: ${read.refused}`)
        expect(found(read.value), what).toEqual(expected)
        expect(found(parse(text, { stringKeys: true, version: '1.2' })), what).toEqual(expected)
      }
  })

  it(
    'reads the users file after each invitation and revocation of a whole house',
    { timeout: 600_000 },
    async () => {
      await using go = goYaml()
      await using world = await peopleWorld()
      await using at = await openTestHouse({ env: world.env })
      const names = oddNames(400)
        .filter((name) => personNameFault(name) === null)
        .slice(0, 60)
      for (const [number, display_name] of names.entries()) {
        const body = { display_name, email: `p${number}@example.net`, username: `p${number}` }
        expect((await at.call('POST', '/api/users/invite', { body })).status, display_name).toBe(201)
        if (number % 2 === 1) await at.call('POST', `/api/users/p${number}/revoke`)
      }
      const read = await go.read('users', world.text())
      const { users } = (
        read as { value: { users: Record<string, { displayname: string; disabled: boolean }> } }
      ).value
      for (const [number, name] of names.entries())
        expect(users[`p${number}`]).toMatchObject({ displayname: name.trim(), disabled: number % 2 === 1 })
    },
  )

  it('refuses no users file that we take for a good one', { timeout: 600_000 }, async () => {
    await using go = goYaml()
    let taken = 0
    for (const text of fc.sample(strangersUsers, runs(20_000))) {
      const ours = usersDocuments.read(text)
      if (!ours.ok) continue
      taken++
      const theirs = await go.read('users', text)
      // A value of another type than is asked for is a fault of one user.
      if (!('refused' in theirs) || (isOfType(theirs.refused) && ours.faults.length > 0)) continue
      expect.fail(`${theirs.refused}: ${JSON.stringify(text)}`)
    }
    // About one in five, so that the comparison is not of nothing.
    expect(taken).toBeGreaterThan(runs(20_000) / 10)
  })
})
