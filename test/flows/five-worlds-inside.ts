/** Drifts of who gets in: access rules, people, the clients of the SSH gateway. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { P256, SAID as KEYS } from '../model/ssh/keys.ts'
import { type Drift, put, rewrite, takeBack } from './five-worlds-drift.ts'
import { APP, CLIENT, PERSON } from './five-worlds-house.ts'
import { OWNER } from './people-world.ts'

const RULE = `    - domain: "${APP}"\n      policy: "one_factor"\n`
const clientItem = () => `${KEYS.ED25519[2]} ${CLIENT}`

export const INSIDE: readonly Drift[] = [
  {
    title: 'an access rule is taken out',
    world: 'rules',
    item: () => APP,
    cause: 'lost',
    spoil: ({ paths }) => rewrite(paths.rules, (text) => text.replace(RULE, '')),
  },
  {
    title: 'an access rule is weakened',
    world: 'rules',
    item: () => APP,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.rules, (text) => text.replace('one_factor', 'bypass')),
  },
  {
    title: 'the rules file is gone',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.rules),
  },
  {
    title: 'the rules file is garbage',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'edited',
    spoil: ({ paths }) => writeFileSync(paths.rules, 'access_control: ['),
  },
  {
    title: 'the provider was started before the rules were written',
    world: 'rules',
    item: ({ paths }) => paths.rules,
    cause: 'not_loaded',
    spoil: ({ paths }) => writeFileSync(paths.rules, readFileSync(paths.rules)),
  },
  {
    title: 'a domain is saved as open to everybody',
    world: 'rules',
    item: () => APP,
    cause: 'pending_deploy',
    spoil: put({ auth_required: false }),
    mend: takeBack({ auth_required: true }),
  },
  {
    title: 'a domain is saved as open, and somebody has taken its rule out already',
    world: 'rules',
    item: () => APP,
    cause: 'applied_unrecorded',
    async spoil(worlds) {
      await put({ auth_required: false })(worlds)
      rewrite(worlds.paths.rules, (text) => text.replace(RULE, ''))
    },
    mend: takeBack({ auth_required: true }),
  },
  {
    title: 'a person is taken out of the users file',
    world: 'people',
    item: () => `user ${PERSON}`,
    cause: 'lost',
    spoil: ({ people }) => people.write(OWNER),
  },
  {
    title: 'a person is given other groups',
    world: 'people',
    item: () => `user ${PERSON}`,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.users, (text) => text.replace('family', 'admins')),
  },
  {
    title: 'the keys of the gateway are gone',
    world: 'ssh',
    item: clientItem,
    cause: 'lost',
    spoil: ({ paths }) => rmSync(paths.keys),
  },
  {
    title: 'what a key may do is edited',
    world: 'ssh',
    item: clientItem,
    cause: 'edited',
    spoil: ({ paths }) => rewrite(paths.keys, (text) => text.replace('restrict,', '')),
  },
  {
    title: 'a stranger’s key is put between ours',
    world: 'ssh',
    item: () => `${KEYS.P256[2]} mallory`,
    cause: 'edited',
    spoil: ({ paths }) =>
      rewrite(paths.keys, (text) => text.replace('# plumbline:end', `${P256} mallory\n$&`)),
  },
  {
    title: 'the end of our keys is taken away',
    world: 'ssh',
    item: ({ paths }) => paths.keys,
    cause: 'foreign_owner',
    spoil: ({ paths }) => rewrite(paths.keys, (text) => text.replace(/# plumbline:end.*\n/, '')),
    mend: ({ paths }) => Promise.resolve(rmSync(paths.keys, { force: true })),
  },
]
