/** A key as it is shown once: the lines for the router that there is, and a lamp that turns when the first report arrives. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import type { DdnsHosts, ListedSiteToken, SiteTokenIssued } from '../../api/types.ts'
import { firstReport, ROUTER_NAMES, ROUTERS, routerText, type Router } from '../../model/granted/ddns.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Prose } from '../../parts/text/prose.tsx'

const TOKENS = '/api/ddns/tokens'
const HOSTS = '/api/ddns/hosts'
/** Only while the lines are looked at. */
const LOOK_MS = 3000

interface Props {
  readonly of: SiteTokenIssued
  readonly onClose: () => void
}

export function KeyOnce({ of: { key, lines, token, warnings }, onClose }: Props) {
  const router = useSignal<Router>('unifi')
  const text = routerText(lines, router.value)
  return (
    <Dialog label={`The key of ${visible(token.host)}`} onClose={onClose} kind="ask once" isOnce>
      <h2 class="t">The key of {visible(token.host)}</h2>
      <p class="q2 flush">It is shown this once and kept nowhere.</p>
      <p class="secret">
        <span class="mono">{key}</span> <Copy text={key} what="the key" />
      </p>
      {warnings.map((one) => (
        <p key={one} class="s c-drift gap">
          {visible(one)}
        </p>
      ))}
      <Choice
        label="What to type into the router"
        value={router.value}
        options={ROUTERS.map((one) => [one, ROUTER_NAMES[one]] as const)}
        onChoose={(chosen) => {
          router.value = chosen
        }}
      />
      <pre class="lines mono gapb" tabIndex={0} aria-label={`Lines for ${ROUTER_NAMES[router.value]}`}>
        {visibleLines(text)}
      </pre>
      <p class="acts">
        <span class="s q2">Copy all of it</span> <Copy text={text} what="the lines" />
      </p>
      <FirstReport token={token} />
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close; I have the key
        </button>
      </p>
    </Dialog>
  )
}

function FirstReport({ token }: { readonly token: SiteTokenIssued['token'] }) {
  const tokens = useResource<readonly ListedSiteToken[]>(TOKENS).value
  const hosts = useResource<DdnsHosts>(HOSTS).value?.hosts
  const { lamp, why } = firstReport(token, tokens, hosts)
  const isOver = lamp === 'ok'
  useEffect(() => {
    if (isOver) return undefined
    const timer = setInterval(() => {
      void refresh(TOKENS)
      void refresh(HOSTS)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [isOver])
  return (
    <p class="why gap" role="status">
      <LampIcon lamp={lamp} />
      <span>
        <Prose of={why} />
      </span>
    </p>
  )
}
