import { notification } from "../api/announce.ts"
import { useStore } from "../api/store.ts"
import { successText } from "../messages/messages.ts"

/** Shows the current notification; rendered once, at the end of the page. */
export const Announcer = () => {
  const current = useStore(notification)
  return (
    <div class="announcer" role="status">
      {current && <p key={current.id}>{current.isFromApi ? successText(current.text) : current.text}</p>}
    </div>
  )
}
