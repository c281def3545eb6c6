import { lockReason } from "../../ui/lock-reason.ts"

/** Why a module can't be opened; in English where there is no translation. */
export const LockMessage = ({ reason }: { reason: string }) => {
  const text = lockReason(reason)
  return (
    <span lang={text === undefined ? "en" : undefined} dir="auto">
      {text ?? reason}
    </span>
  )
}
