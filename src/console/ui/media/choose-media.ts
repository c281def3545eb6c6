import { loadWithMessages } from "../../messages/messages.ts"
import type { MediaRow } from "./media-dialog.tsx"
import type { MediaKind } from "./media-kind.ts"

/** Opens the media library in a dialog. @returns the chosen file; undefined if the dialog was closed */
export async function chooseFile(kinds: readonly MediaKind[]): Promise<MediaRow | undefined> {
  const { chooseMedia } = await loadWithMessages("media", import("./media-dialog.tsx"))
  return chooseMedia(kinds)
}
