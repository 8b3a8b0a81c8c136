/** `plumbline help tasks`: what people come for, and the commands of it, in their order. A test runs each through the parser. */

export interface Task {
  readonly what: string
  /** By which `plumbline help WORD` finds it, beside the words of `what`. */
  readonly words: readonly string[]
  /** Each without `plumbline` before it, and what it does; the last may be about a setting. */
  readonly steps: readonly (readonly [command: string, does: string])[]
}

export const TASKS: readonly Task[] = [
  {
    what: 'Put a domain behind sign-in, with two factors',
    words: [
      '2fa',
      'two-factor',
      'totp',
      'mfa',
      'auth',
      'login',
      'sso',
      'policy',
      'factor',
      'sign-in',
      'signin',
      'protect',
    ],
    steps: [
      [
        'add app.example.com 10.0.0.5:8080',
        'It stands behind the sign-in, as is usual; where no public address is known, add --static-ip IP.',
      ],
      [
        'config PLUMBLINE_SSO_POLICIES_FILE',
        'Shows the file that asks for two factors, with its format; PLUMBLINE_SSO_POLICY says what all ask for.',
      ],
      [
        'deploy --all',
        'Brings the rules out, after a restart of the daemon, which reads that file at its start.',
      ],
      ['access --host app.example.com', 'Says who gets in, and by which policy.'],
    ],
  },
  {
    what: 'Give a person access, or end it',
    words: [
      'grant',
      'user',
      'people',
      'invite',
      'group',
      'groups',
      'permission',
      'permissions',
      'allow',
      'revoke',
    ],
    steps: [
      [
        'users invite jo@example.com Jo Doe --groups family',
        'A new person gets a mail that says how to set a password.',
      ],
      ['users groups jo family admins', 'Somebody who is invited is in these groups from now on.'],
      ['access --user jo', 'Says what they can open; which groups open a domain, the file of policies says.'],
      ['users revoke jo', 'They can sign in no more.'],
    ],
  },
  {
    what: 'Find what is open to everybody',
    words: ['public', 'unprotected', 'exposed', 'anybody', 'who', 'security', 'firewall'],
    steps: [
      ['domains --open', 'What anybody gets to, now or after a deploy.'],
      ['access drift', 'Those that should, and are not protected.'],
    ],
  },
  {
    what: 'Only save a change, and see what it would do',
    words: ['dry-run', 'draft', 'preview', 'rehearse', 'pending', 'diff'],
    steps: [
      ['set app.example.com backend_port=8081', 'Saves it; a live domain stays as it is.'],
      ['add new.example.com 10.0.0.6:80 --save', 'A new domain, saved and not deployed.'],
      ['plan', 'What a deploy would do with all that is saved.'],
      ['discard app.example.com', 'Gives up what is saved.'],
    ],
  },
  {
    what: 'Change the fields of a domain',
    words: ['field', 'edit', 'value', 'port', 'backend'],
    steps: [
      ['show app.example.com', 'All fields and their values.'],
      ['set app.example.com backend_port=8081 --deploy', 'Changes one, and deploys it.'],
      ['edit app.example.com', 'All of them in an editor, with what each is for.'],
    ],
  },
  {
    what: 'See the settings of the daemon, and change one',
    words: ['setting', 'configuration', 'configure', 'option', 'options', 'environment', 'env', 'variable'],
    steps: [
      ['config', 'All that are in force, and where each comes from.'],
      ['config PLUMBLINE_LISTEN', 'One, with its help. A new value is read at the next start.'],
      ['doctor', 'Whether they fit what is there.'],
    ],
  },
  {
    what: 'Undo a change',
    words: ['back', 'rollback', 'revert', 'restore', 'undelete', 'deleted', 'recover'],
    steps: [
      [
        'releases undo app.example.com',
        'The last release that changed this domain, for it alone; also of a deleted one.',
      ],
      ['releases restore 7', 'All domains as they were in a release.'],
      ['discard app.example.com', 'What is saved and not deployed.'],
    ],
  },
  {
    what: 'Find who changed something',
    words: ['who', 'when', 'yesterday', 'trail', 'log', 'logs', 'blame'],
    steps: [
      ['audit --since 48h', 'Everything of the last two days.'],
      ['audit app.example.com', 'All that happened to one domain.'],
      ['audit --actor ci', 'What one person or key did.'],
    ],
  },
  {
    what: 'Make CI fail on drift',
    words: ['ci', 'cd', 'pipeline', 'exit', 'monitoring', 'cron'],
    steps: [
      ['drift', 'Exit code 0 clean, 2 drift, 3 unknown.'],
      ['plan --out plan.md', 'Exit code 2 where a deploy would do something, and a page for a pull request.'],
      ['wait --for 5m', 'After a deploy: until all is as it should be.'],
    ],
  },
  {
    what: 'Keep the domains in a file in git',
    words: ['git', 'gitops', 'prune', 'yaml', 'estate', 'backup', 'file'],
    steps: [
      ['export --out estate.yaml', 'Writes all of them.'],
      ['sync estate.yaml --dry-run', 'What the file would change.'],
      ['sync estate.yaml --prune', 'Also deletes what the file does not name, after a question.'],
    ],
  },
  {
    what: 'Find why a domain does not work, or has no certificate',
    words: ['why', 'certificate', 'cert', 'ssl', 'tls', 'https', 'broken', 'debug', 'problem', '404', '502'],
    steps: [
      ['explain app.example.com', 'What is saved, deployed and there, and why they differ.'],
      [
        'certificates show app.example.com',
        'What is served by a handshake, and why it is not what it should be.',
      ],
      ['certificates reconcile --retry', 'Obtains what is due now, also what waits after a failure.'],
      ['doctor', 'Examines the installation.'],
    ],
  },
  {
    what: 'Put back what somebody edited by hand',
    words: ['hand', 'edit', 'repair', 'fix', 'revert'],
    steps: [
      ['drift', 'What differs, and the commands for it.'],
      ['reconcile routes --dry-run', 'What a repair of one component would do.'],
      ['reconcile routes', 'Repairs it.'],
    ],
  },
  {
    what: 'Suspend for a while, and resume',
    words: ['pause', 'stop', 'maintenance', 'freeze', 'mode', 'unfreeze', 'continue'],
    steps: [
      ['mode set suspend --reason "router swap" --for 2h', 'Nothing is touched; it ends by itself.'],
      ['mode set suspend dns --reason "zone moves" --for 2h', 'One component alone.'],
      ['mode set repair', 'Resumes now.'],
    ],
  },
]

/** Those that most of a person's words are about; all where they ask for the tasks themselves. */
export function tasksAbout(...asked: readonly string[]): readonly Task[] {
  const found = asked.flatMap((word) => tasksOf(word))
  const counts = new Map(found.map((task) => [task, found.filter((one) => one === task).length]))
  const most = Math.max(0, ...counts.values())
  return TASKS.filter((task) => counts.get(task) === most)
}

function tasksOf(asked: string): readonly Task[] {
  const word = asked.toLowerCase().replaceAll('_', '-')
  if (/^(?:tasks?|how-?to|howto|recipes?|examples?)$/.test(word)) return TASKS
  return TASKS.filter(({ what, words }) => words.includes(word) || wordsOf(what).has(word))
}

/** What stands in nearly every sentence finds nothing. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  'a and as by for in is it no not of on or the to what with'.split(' '),
)

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^a-z0-9-]+/)
      .flatMap((word) => [word, ...word.split('-')])
      .filter((word) => word.length > 2 && !EVERYWHERE.has(word)),
  )
