import { connection } from "../../api/connection.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"

const useIsOffline = () => useStore(connection).state === "offline"

/** Says, while there is no connection, what needs one. */
export const OfflineNotice = ({ text = t("learner:offline.lesson") }: { text?: string }) =>
  useIsOffline() ? <p class="notice">{text}</p> : null
