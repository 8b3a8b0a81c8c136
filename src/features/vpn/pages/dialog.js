/**
 * The dialog that makes the file of a device. It is built when it opens and taken away whole when it closes: no key, no file
 * and no picture outlives it. A key stands in its field and in the body of one call, nowhere else.
 */
import { call, Lost } from './api.js'
import { announce, byId, copyButton, el, lamp, setText } from './dom.js'
import { field, insecure, presetChoices, presetField, say, secretField } from './fields.js'
import { checkNetworks } from './networks.js'
import { GRAVE } from './words.js'

const QR_SHOWN_S = 60

let open = null

/** @param kind what the first button makes: `file` or `qr` */
export function openDialog(peer, kind) {
  closeDialog()
  const dialog = byId('dialog')
  const made = new FileDialog(peer, kind)
  open = made
  dialog.replaceChildren(made.root)
  dialog.addEventListener('close', () => closeDialog(made), { once: true })
  dialog.showModal()
  made.start()
}

/** What is open, or what is given if it is still that. Also when the page is left: browsers keep pages for the way back. */
export function closeDialog(which = open) {
  if (which === null || which !== open) return
  open = null
  which.clear()
  const dialog = byId('dialog')
  dialog.replaceChildren()
  if (dialog.open) dialog.close()
}

class FileDialog {
  constructor(peer, kind) {
    this.peer = peer
    this.kind = kind
    this.ended = new AbortController()
    this.presets = null
    /** Addresses of blobs that the browser keeps until they are given back. */
    this.file_url = null
    this.qr_url = null
    this.hiding = null
    this.build()
  }

  build() {
    const { peer, kind } = this
    const title = el(
      'h2',
      { id: 'dialog-title' },
      peer.name,
      ' ',
      el('span', { class: 'quiet' }, peer.site_name),
    )
    this.networks = el('input', {
      class: 'input mono',
      id: 'networks',
      autocomplete: 'off',
      spellcheck: 'false',
    })
    this.key = secretField('private-key')
    this.preshared = peer.has_preshared_key ? secretField('preshared-key') : null
    this.first = el(
      'button',
      { class: 'btn first', type: 'submit' },
      kind === 'qr' ? 'Make the QR code' : 'Make the file',
    )
    this.fault = el('p', { class: 'c-wrong', role: 'alert' })
    this.result = el('section', { class: 'result', 'aria-live': 'polite' })
    this.choices = presetChoices((id) => this.choose(id))
    // No field of text has a name: whatever sends this form, it sends no key.
    this.form = el(
      'form',
      { method: 'dialog', autocomplete: 'off', novalidate: true, onsubmit: (event) => this.submit(event) },
      presetField(this.choices),
      field(this.networks, 'Networks through the tunnel', ''),
      isSecureContext ? null : insecure(),
      field(this.key, 'Private key', 'Sent once, used, forgotten. Without it, a text stands in its place.'),
      this.preshared &&
        field(this.preshared, 'Preshared key, if you have it', 'Without it, a text stands in its place.'),
      el('div', { class: 'acts' }, this.first),
      this.fault,
    )
    this.form.addEventListener('input', () => this.changed())
    const close = el('button', { type: 'button', class: 'btn', onclick: () => closeDialog(this) }, 'Close')
    this.root = el('div', { class: 'inside' }, el('header', {}, title, close), this.form, this.result)
  }

  start() {
    this.key.focus()
    this.choose('full_tunnel')
    void this.readPresets()
  }

  async readPresets() {
    const answer = await call('api/presets', { signal: this.ended.signal }).catch(() => null)
    if (answer?.ok !== true) return
    this.presets = answer.body
    const homelab = this.choices.find(({ id }) => id === 'homelab')
    homelab.input.disabled = this.presets.homelab === null
    if (this.presets.homelab === null)
      homelab.label.title = 'No network is known. PLUMBLINE_VPN_HOMELAB names them.'
    if (this.preset !== 'custom') this.choose(this.preset)
  }

  choose(id) {
    this.preset = id
    const is_custom = id === 'custom'
    // What stood there before is where people begin.
    if (!is_custom) this.networks.value = this.presets?.[id] ?? '0.0.0.0/0, ::/0'
    this.networks.readOnly = !is_custom
    this.checkNetworks()
  }

  checkNetworks() {
    const { ok, message } = checkNetworks(this.networks.value)
    say(this.networks, ok ? 'ok' : 'wrong', message)
    return ok
  }

  /** What was made before is not what is asked for now. */
  changed() {
    this.checkNetworks()
    this.forget()
    for (const input of [this.key, this.preshared]) if (input !== null) say(input, null)
    setText(this.fault, '')
  }

  async submit(event) {
    event.preventDefault()
    this.forget()
    setText(this.fault, '')
    if (!this.checkNetworks()) return this.networks.focus()
    if (this.key.value === '' && this.preset !== 'full_tunnel')
      return this.wrong('private_key', 'Without a private key only the file for Full Tunnel can be made.')
    await this.make(
      (signal) => this.ask('config', signal),
      (file) => this.showFile(file),
    )
    if (this.kind === 'qr' && this.file_url !== null) await this.makeQr()
  }

  async makeQr() {
    await this.make(
      (signal) => this.ask('qr', signal, 'image/png'),
      (picture) => this.showQr(picture),
    )
  }

  /** One call at a time; what fails is told where it belongs. */
  async make(asking, show) {
    const buttons = [...this.root.querySelectorAll('button.btn')]
    for (const button of buttons) button.disabled = true
    try {
      const answer = await asking(this.ended.signal)
      if (this.ended.signal.aborted) return
      if (answer.ok) show(answer.body)
      else this.problem(answer)
    } catch (error) {
      if (this.ended.signal.aborted) return
      setText(this.fault, error instanceof Lost ? `${error.message} Nothing was made.` : String(error))
    } finally {
      for (const button of buttons) button.disabled = false
    }
  }

  ask(what, signal, accept) {
    const { site_id, public_key, config_url, qr_url } = this.peer
    const private_key = this.key.value.trim()
    if (private_key === '') return call(what === 'qr' ? qr_url : config_url, { signal, accept })
    const preshared_key = this.preshared?.value.trim() ?? ''
    return call(`api/render-${what}`, {
      method: 'POST',
      signal,
      accept,
      body: {
        site_id,
        peer_pubkey: public_key,
        private_key,
        allowed_ips: this.networks.value,
        ...(preshared_key !== '' && { preshared_key }),
      },
    })
  }

  problem({ status, detail, errors, retry_after_s }) {
    const shown = errors.map(({ loc, msg }) => this.wrong(loc.at(-1), msg))
    if (status === 422 && shown.length > 0 && shown.every(Boolean)) return
    setText(this.fault, retry_after_s === null ? detail : `${detail} Again in ${retry_after_s} s.`)
  }

  /** Whether there is such a field. */
  wrong(name, message) {
    const input =
      { private_key: this.key, preshared_key: this.preshared, allowed_ips: this.networks }[name] ?? null
    if (input === null) return false
    say(input, 'wrong', message)
    input.disabled = false
    input.focus()
    return true
  }

  showFile({ config, filename, warnings }) {
    this.file_url = URL.createObjectURL(new Blob([config], { type: 'text/plain' }))
    const download = el('a', { class: 'btn', href: this.file_url, download: filename }, 'Download')
    const qr = el('button', { type: 'button', class: 'btn', onclick: () => void this.makeQr() }, 'QR code')
    this.result.replaceChildren(
      ...warnings
        .toSorted((a, b) => GRAVE.has(b.code) - GRAVE.has(a.code))
        .map(({ code, message }) =>
          GRAVE.has(code)
            ? el('p', { class: 'warning grave', role: 'alert', 'data-code': code }, lamp('wrong'), message)
            : el('p', { class: 'warning', 'data-code': code }, lamp('differs'), message),
        ),
      this.key.value.trim() === ''
        ? el(
            'p',
            { class: 'warning' },
            lamp('differs'),
            'REPLACE_WITH_PRIVATE_KEY stands where the key belongs: no device takes the file before it is put there.',
          )
        : '',
      el('h3', { class: 'mono' }, filename),
      el('pre', { tabindex: '0', 'aria-label': 'The file' }, config),
      el(
        'div',
        { class: 'acts' },
        copyButton('the file', () => config, 'Copy'),
        download,
        qr,
      ),
    )
    this.result.scrollIntoView({ block: 'start' })
  }

  showQr(picture) {
    this.hideQr()
    this.qr_url = URL.createObjectURL(picture)
    const image = el('img', {
      class: 'qr',
      alt: `QR code of the file for ${this.peer.name}`,
      src: this.qr_url,
    })
    const left = el('p', { class: 'quiet small', 'aria-live': 'off' })
    this.qr = el('div', { class: 'qrbox' }, image, left)
    this.result.append(this.qr)
    image.addEventListener('load', () => this.qr?.scrollIntoView({ block: 'nearest' }), { once: true })
    const until = Date.now() + QR_SHOWN_S * 1000
    const tick = () => {
      const seconds = Math.ceil((until - Date.now()) / 1000)
      if (seconds <= 0) return this.hideQr('The QR code is hidden again.')
      setText(left, `Hidden again in ${seconds} s`)
    }
    tick()
    this.hiding = setInterval(tick, 1000)
  }

  hideQr(words) {
    clearInterval(this.hiding)
    if (this.qr_url !== null) URL.revokeObjectURL(this.qr_url)
    this.qr_url = null
    this.qr?.querySelector('img')?.removeAttribute('src')
    this.qr?.remove()
    this.qr = null
    if (words !== undefined) announce(words)
  }

  /** What was made. */
  forget() {
    this.hideQr()
    if (this.file_url !== null) URL.revokeObjectURL(this.file_url)
    this.file_url = null
    this.result.replaceChildren()
  }

  /** All of it. */
  clear() {
    this.ended.abort(new Error('The dialog was closed.'))
    this.forget()
    for (const input of [this.key, this.preshared, this.networks]) if (input !== null) input.value = ''
  }
}
