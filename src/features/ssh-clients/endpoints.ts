/** The clients of the SSH gateway. Keyless by specification, so for this host and trusted networks. */
import { z } from 'zod'
import type { SshService } from './service.ts'
import { addClient, clientFaults } from './add.ts'
import { readClients } from './read.ts'
import { removeClient } from './remove.ts'
import { KEY_PART_FORM, PUBLIC_KEY_FORM, SAFE_NAME } from '../../model/ssh/public-key.ts'
import { formOf, type TextForm } from '../../model/text/form.ts'
import { having, when } from '../../http/body/json-conditions.ts'
import { formed } from '../../http/body/scalars.ts'
import { faultsBeside } from '../../http/beside.ts'
import { endpoint, type Endpoint } from '../../http/contract.ts'
import { callerOf, Changing } from '../../http/access/caller-of.ts'
import { ok } from '../../http/ok.ts'
import { Planned } from '../../http/common-views.ts'
import { options, ClientsAnswer, changed, Added } from './views.ts'

const tags = [{ name: 'SSH clients', description: 'Keys that may log in to the SSH gateway' }]

const AskedOptions = z.strictObject(z.object(options).partial().shape).meta({
  id: 'SshClientOptions',
  description:
    'What is left out stays as it is (null or an empty list clears, and port_forwarding false drops permit_open and permit_listen); of a new client it is as PLUMBLINE_SSH_CLIENT_OPTIONS says, and otherwise off',
})
const Removed = z.object(changed).meta({ id: 'SshClientRemoved' })

/** One name for both calls; `key` is what removing called it before. */
const keyFields = (what: string, form: TextForm) => ({
  public_key: z
    .string()
    .max(8192)
    .meta({ ...form })
    .optional()
    .describe(what),
  key: z
    .string()
    .max(8192)
    .meta({ ...form })
    .optional()
    .describe('Another name of public_key: one of the two is required'),
})

interface KeyFields {
  readonly public_key?: string | undefined
  readonly key?: string | undefined
}

function oneKey({ public_key, key }: KeyFields, context: z.RefinementCtx): void {
  const fault = (message: string, type: string) =>
    context.addIssue({ code: 'custom', path: ['public_key'], message, params: { type } })
  if (public_key === undefined && key === undefined) fault('is required', 'missing')
  if (public_key !== undefined && key !== undefined)
    fault('is given as "key", too; leave one out', 'duplicate')
}

/** The same in JSON Schema. */
const ONE_KEY = {
  allOf: [when(having('key'), { not: having('public_key') }, having('public_key'))],
}

/** Which of the two it is, so that a fault names the field that was sent. */
const sentKey = ({ public_key, key }: KeyFields) =>
  public_key === undefined && key !== undefined
    ? ({ text: key, field: 'key' } as const)
    : ({ text: public_key ?? '', field: 'public_key' } as const)

const AddFields = z.strictObject({
  ...keyFields('The line of a .pub file: type, key and comment', PUBLIC_KEY_FORM),
  name: formed(formOf(SAFE_NAME))
    .optional()
    .describe('Up to 64 letters, digits or any of @ . _ -; default: the comment'),
  options: AskedOptions.optional(),
})
const AddRequest = AddFields.superRefine(oneKey).meta({
  id: 'SshClientAdd',
  examples: [
    {
      public_key:
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBt jo@laptop',
      name: 'jo-laptop',
    },
  ],
  ...ONE_KEY,
})

const RemoveRequest = z
  .strictObject(
    keyFields(
      'At least 8 characters of the key, its name or its fingerprint, which only one client has',
      KEY_PART_FORM,
    ),
  )
  .superRefine(oneKey)
  .meta({ id: 'SshClientRemove', examples: [{ public_key: 'jo-laptop' }], ...ONE_KEY })

export const sshClientEndpoints = (ssh: SshService): readonly Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/api/ssh-clients',
    id: 'sshClients',
    summary: 'The keys that may log in to the SSH gateway',
    description: 'Looks at the gateway now. Keys that are not ours are listed as well, and never touched.',
    level: 'open',
    tags,
    replies: { 200: ClientsAnswer },
    handler: async (call) => ok(await readClients(ssh, call.signal)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/ssh-clients',
    id: 'addSshClient',
    summary: 'Let a key log in to the SSH gateway',
    description:
      'In force when it answers. The same key again changes its name and each option that is given, and is no error.',
    level: 'open',
    tags,
    query: Changing,
    body: AddRequest,
    faults: faultsBeside<z.output<typeof AddFields>>({
      schema: AddFields,
      stand_in: {},
      evaluate: (body) => clientFaults({ ...body, public_key: sentKey(body) }, ssh),
    }),
    respond_async: 'asked',
    replies: { 200: Added.or(Planned) },
    problems: [
      'conflict',
      'component_unavailable',
      'provider_credentials',
      'storage_unwritable',
      'storage_full',
    ],
    handler: async (call) =>
      ok(await addClient(ssh, { ...call.body, public_key: sentKey(call.body) }, callerOf(call))),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/ssh-clients',
    id: 'removeSshClient',
    summary: 'Shut a key out from the SSH gateway',
    description:
      'Found by a part of its key, name or fingerprint that only one client has; several are a conflict.',
    level: 'open',
    tags,
    query: Changing,
    body: RemoveRequest,
    respond_async: 'asked',
    replies: { 200: Removed.or(Planned) },
    problems: [
      'not_found',
      'conflict',
      'component_unavailable',
      'provider_credentials',
      'storage_unwritable',
      'storage_full',
    ],
    handler: async (call) => ok(await removeClient(ssh, sentKey(call.body), callerOf(call))),
  }),
]
