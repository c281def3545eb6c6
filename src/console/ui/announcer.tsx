import { said } from "../api/announce.ts"
import { useStore } from "../api/store.ts"

/** Where is said what has happened: once, at the end of the page. */
export const Announcer = () => {
  const now = useStore(said)
  return (
    <div class="announcer" role="status">
      {now && <p key={now.id}>{now.text}</p>}
    </div>
  )
}
