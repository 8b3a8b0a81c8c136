/** Where something stands in the files that are imported, and why it stays there. */
export interface FilePosition {
  readonly file: string
  /** `http.routers.app`, `line 12`, or an empty text for the whole file. */
  readonly where: string
}

export interface Leftover extends FilePosition {
  /** The end of a sentence whose subject is the place. */
  readonly reason: string
  /** True for what stays only because something needs it that stays. */
  readonly kept?: true
}

export const placeKey = ({ file, where }: FilePosition): string => `${where}\u0000${file}`
