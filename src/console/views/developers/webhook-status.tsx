import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"

/** Whether a webhook is enabled, and since when it fails. */
export const WebhookStatus = ({
  webhook: { enabled, offReason, failingSince },
}: {
  webhook: Pick<Schemas["Webhook"], "enabled" | "offReason" | "failingSince">
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
