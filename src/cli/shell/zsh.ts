/** Completion for zsh, with what each word does beside it. */
import { type Behind, NAMES, type OptionSpec, type VerbSpec } from './spec.ts'

export function zshScript(verbs: readonly VerbSpec[]): string {
  return `#compdef plumbline
# Completion of plumbline for zsh: source <(plumbline completion zsh), behind compinit.
_plumbline_names() {
  local -a names
  names=(\${(f)"$(${NAMES})"})
  compadd -a names
}
_plumbline() {
  if (( CURRENT == 2 )); then
    local -a verbs
    verbs=(
${verbs.map(({ name, help }) => `      ${quoted(`${name}:${help}`)}`).join('\n')}
    )
    _describe 'verb' verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
    help) compadd ${verbs.map(({ name }) => name).join(' ')} tasks exit-codes ;;
${verbs.map(verbCase).join('\n')}
  esac
}
compdef _plumbline plumbline
`
}

function verbCase({ name, own, takes, options, behind }: VerbSpec): string {
  // What offers nothing must not be one space either: that is a message, beside which a sole match is listed and not inserted.
  const rest =
    behind.length > 0
      ? quoted(
          `*: :{ ${[...(takes.domains ? ['_plumbline_names'] : []), ...behind.map(behindOf)].join('; ')} }`,
        )
      : takes.domains
        ? "'*: :_plumbline_names'"
        : takes.files
          ? "'*: :_files'"
          : "'*: :{ : }'"
  const first = own.length > 0 ? [quoted(`1: :(${own.join(' ')})`)] : []
  const words =
    own.length > 0 && takes.domains ? [quoted(`1: :{ compadd ${own.join(' ')}; _plumbline_names }`)] : first
  return `    ${name}) _arguments ${[...options.flatMap(optionOf), ...words, rest].join(' ')} ;;`
}

/** In an array that begins with the verb: words[2] is what directly follows it. */
function behindOf({ first, words, domains }: Behind): string {
  const offers = [
    ...(words.length > 0 ? [`compadd ${words[0]!.endsWith('=') ? "-S '' " : ''}${words.join(' ')}`] : []),
    ...(domains ? ['_plumbline_names'] : []),
  ]
  return first === null ? offers.join('; ') : `if [[ $words[2] == ${first} ]]; then ${offers.join('; ')}; fi`
}

function optionOf(option: OptionSpec): readonly string[] {
  const { long, short, help, has_value, values, is_file, is_domain } = option
  const offered = is_domain ? '_plumbline_names' : `(${values.join(' ')})`
  const value = !has_value ? '' : is_file ? ':file:_files' : `:value:${offered}`
  const described = help.replaceAll(/[[\]:\\]/g, '\\$&')
  return [long, ...(short === null ? [] : [short])].map((said) => quoted(`${said}[${described}]${value}`))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
