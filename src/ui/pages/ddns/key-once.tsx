/** A key as it is shown once: the lines for the router that there is, and a lamp that turns when the first report arrives. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import type { ListedSiteToken, SiteTokenIssued } from '../../api/types.ts'
import { hasReported, ROUTER_NAMES, ROUTERS, routerText, type Router } from '../../model/granted/ddns.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/field.tsx'
import { LampIcon } from '../../parts/lamp.tsx'

const TOKENS = '/api/ddns/tokens'
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
      <FirstReport id={token.id} />
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close; I have the key
        </button>
      </p>
    </Dialog>
  )
}

function FirstReport({ id }: { readonly id: string }) {
  const arrived = hasReported(useResource<readonly ListedSiteToken[]>(TOKENS).value, id)
  useEffect(() => {
    if (arrived) return undefined
    const timer = setInterval(() => void refresh(TOKENS), LOOK_MS)
    return () => clearInterval(timer)
  }, [arrived])
  return (
    <p class="why gap" role="status">
      <LampIcon lamp={arrived ? 'ok' : 'moving'} />
      <span>
        {arrived ? 'A gateway has reported with this key.' : 'No report with this key yet; it is waited for.'}
      </span>
    </p>
  )
}
