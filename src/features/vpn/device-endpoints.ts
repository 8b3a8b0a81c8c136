/**
 * Files and QR codes of devices. A private key comes in a body, is used once and forgotten: it is in no message, in no kept
 * answer and in no log.
 */
import { z } from 'zod'
import { endpoint, type Call, type Endpoint } from '../../http/contract.ts'
import { ok } from '../../http/ok.ts'
import { Failure, fieldError, invalid } from '../../kernel/failure.ts'
import { Secret } from '../../kernel/secret.ts'
import { look, type VpnParts } from './parts.ts'
import { FULL_TUNNEL, MAX_BYTES } from './model/allowed-ips.ts'
import { isAllZero, isKey, keyFrom } from './model/key.ts'
import { MAX_QR_BYTES, pngOf, qrOf, svgOf } from './qr/qr.ts'
import { SITE_IDS } from './settings.ts'
import * as views from './views.ts'
import type { Rendered, RenderWish } from './vpn.ts'

const WARNING_HEADER = 'X-Plumbline-Warning'

/** What is wrong with a key is told without the key. */
const key = (what: string) =>
  z
    .string()
    .refine(isKey, `must be a ${what} of WireGuard: 44 characters of base64 that end in =`)
    .refine((text) => !isAllZero(text), 'is all zeros, which is no key')

const secretKey = (what: string) => key(what).transform((text) => new Secret(text))

const RenderBody = z.object({
  site_id: z.enum(SITE_IDS),
  peer_pubkey: z
    .string()
    .max(64)
    .transform((text, context) => {
      const found = keyFrom(text)
      if (found !== null) return found
      context.addIssue({ code: 'custom', message: 'must be a public key of WireGuard' })
      return z.NEVER
    }),
  private_key: secretKey('private key').describe('Used for this answer and forgotten'),
  preshared_key: secretKey('preshared key')
    .optional()
    .describe('Where the peer has one; otherwise a text stands in its place'),
  allowed_ips: z
    .string()
    .max(MAX_BYTES)
    .optional()
    .describe('Networks that go through the tunnel, comma-separated; all when left out'),
})

const params = z.object({
  site_id: z.string().max(64).describe('uk or fr'),
  pubkey: z.string().max(200).describe('The public key of the peer, in base64url or percent-encoded base64'),
})

const config_reply = {
  content_type: 'text/plain; charset=utf-8',
  description: 'A file for wg-quick and the apps',
}
const qr_reply = {
  content_type: 'image/png',
  description: 'The file as a QR code; image/svg+xml where Accept asks for it',
}

const made = {
  headers: { Accept: 'application/json: with warnings in words. image/svg+xml: a QR code of lines' },
  reply_headers: {
    [WARNING_HEADER]: 'What to know before the file is used: private_key_mismatch, server_key_changed …',
  },
  problems: ['not_found', 'conflict', 'component_unavailable', 'rate_limited'],
} as const
const withoutKey = { ...look, ...made, params, slash_param: 'pubkey' } as const
const withKey = {
  ...look,
  ...made,
  method: 'POST',
  description: 'The key is used for this answer and forgotten; nothing of the call is kept.',
  body: RenderBody,
  secret_reply: true,
  reads: true,
} as const

export function deviceEndpoints({ vpn, homelab }: VpnParts): readonly Endpoint[] {
  const render = (call: Call, wish: RenderWish) => {
    vpn.admit(`${call.class} ${call.actor.name} ${call.client}`)
    return vpn.render(wish)
  }
  return [
    endpoint({
      ...look,
      path: '/api/presets',
      id: 'presets',
      summary: 'Values for allowed_ips',
      replies: { 200: views.VpnPresets },
      handler: async () => {
        const networks = await homelab()
        return ok({
          full_tunnel: FULL_TUNNEL.join(', '),
          homelab: networks.length === 0 ? null : networks.join(', '),
        })
      },
    }),
    endpoint({
      ...withoutKey,
      path: '/api/clients/{site_id}/{pubkey}/config',
      id: 'clientConfig',
      summary: 'The file of a device, with a text in the place of its private key',
      replies: { 200: config_reply },
      handler: async (call) => configAnswer(call, await render(call, placeholderOf(call.params))),
    }),
    endpoint({
      ...withoutKey,
      path: '/api/clients/{site_id}/{pubkey}/qr',
      id: 'clientQr',
      summary: 'The file of a device as a QR code, with a text in the place of its private key',
      replies: { 200: qr_reply },
      handler: async (call) => qrAnswer(call, await render(call, placeholderOf(call.params))),
    }),
    endpoint({
      ...withKey,
      path: '/api/render-config',
      id: 'renderConfig',
      summary: 'The file of a device with its private key',
      replies: { 200: config_reply },
      handler: async (call) => configAnswer(call, await render(call, wishOf(call.body))),
    }),
    endpoint({
      ...withKey,
      path: '/api/render-qr',
      id: 'renderQr',
      summary: 'The file of a device with its private key, as a QR code',
      replies: { 200: qr_reply },
      handler: async (call) => qrAnswer(call, await render(call, wishOf(call.body))),
    }),
  ]
}

/** Throws `not_found` for what is no key: there is no such peer. A site that there is none of is found by the verb. */
function placeholderOf({ site_id, pubkey }: z.output<typeof params>): RenderWish {
  const public_key = keyFrom(pubkey)
  if (public_key === null)
    throw new Failure('not_found', 'That is no public key of WireGuard, so no peer has it.')
  return { site_id, public_key, private_key: null, preshared_key: null, allowed_ips: null }
}

const wishOf = ({
  site_id,
  peer_pubkey,
  private_key,
  preshared_key,
  allowed_ips,
}: z.output<typeof RenderBody>): RenderWish => ({
  site_id,
  public_key: peer_pubkey,
  private_key,
  preshared_key: preshared_key ?? null,
  allowed_ips: allowed_ips ?? null,
})

/** Nobody on the way may keep it. */
const headersOf = ({ warnings }: Rendered): Record<string, string> => ({
  'Cache-Control': 'no-store',
  ...(warnings.length > 0 && { [WARNING_HEADER]: [...new Set(warnings.map(({ code }) => code))].join(', ') }),
})

const accepts = (call: Pick<Call, 'header'>, type: string): boolean =>
  (call.header('accept') ?? '').split(',').some((one) => one.split(';')[0]!.trim().toLowerCase() === type)

function configAnswer(call: Pick<Call, 'header'>, rendered: Rendered) {
  const { config, filename, warnings } = rendered
  if (accepts(call, 'application/json'))
    return Response.json(
      { config, filename, warnings: [...warnings] } satisfies z.input<typeof views.RenderedConfig>,
      { headers: headersOf(rendered) },
    )
  const headers = { ...headersOf(rendered), 'Content-Disposition': `attachment; filename="${filename}"` }
  return { status: 200 as const, body: config, headers }
}

function qrAnswer(call: Pick<Call, 'header'>, rendered: Rendered) {
  const modules = qrOf(rendered.config)
  if (modules === null)
    throw invalid([
      fieldError(
        ['body', 'allowed_ips'],
        `makes a file of ${Buffer.byteLength(rendered.config)} bytes, and a QR code holds ${MAX_QR_BYTES}: send fewer networks through the tunnel (Homelab), or take the file`,
        'too_long',
      ),
    ])
  const headers = headersOf(rendered)
  if (!accepts(call, 'image/svg+xml') || accepts(call, 'image/png'))
    return { status: 200 as const, body: pngOf(modules), headers }
  return new Response(svgOf(modules), { headers: { ...headers, 'Content-Type': 'image/svg+xml' } })
}
