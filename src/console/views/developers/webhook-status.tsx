import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Time } from "../../ui/time.tsx"

/** Whether a webhook is enabled, and since when it fails. */
export const WebhookStatus = ({
  webhook: { enabled, offReason, failingSince },
}: {
  webhook: Pick<Schemas["Webhook"], "enabled" | "offReason" | "failingSince">
}) => (
  <>
    <Badge status={enabled ? "enabled" : "disabled"}>
      {t(enabled ? "developers:webhooks.enabled" : "developers:webhooks.disabled")}
    </Badge>
    {offReason && <> {t(`developers:webhooks.disabled.${offReason}`)}</>}
    {failingSince && (
      <>
        {" "}
        {t("developers:webhooks.failing")} <Time value={failingSince} />
      </>
    )}
  </>
)
