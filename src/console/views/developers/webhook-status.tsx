import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"

/** Whether a webhook is sent anything, and how that goes. */
export const WebhookState = ({
  of: { enabled, offReason, failingSince },
}: {
  of: Pick<Schemas["Webhook"], "enabled" | "offReason" | "failingSince">
}) => (
  <>
    <span class="badge">{t(enabled ? "developers:webhooks.enabled" : "developers:webhooks.disabled")}</span>
    {offReason && <> {t(`developers:webhooks.disabled.${offReason}`)}</>}
    {failingSince && (
      <>
        {" "}
        {t("developers:webhooks.failing")} <Time value={failingSince} />
      </>
    )}
  </>
)
