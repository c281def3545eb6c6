import { MonitorSmartphone } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"

type Device = RecordOf<"/api/session/tabularlist">

const columns = (): Column<Device>[] => [
  {
    key: "device",
    title: t("account:sessions.device"),
    sort: "device",
    render: ({ device, current }) => (
      <>
        <span dir="auto">{device}</span> {current && <Badge status="active">{t("account:sessions.current")}</Badge>}
      </>
    ),
  },
  {
    key: "created",
    title: t("account:sessions.signed-in"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
  {
    key: "used",
    title: t("account:sessions.last-used"),
    render: ({ last_used_at }) => <Time value={last_used_at} />,
  },
  {
    key: "expires",
    title: t("account:sessions.expires"),
    sort: "expires_at",
    render: ({ expires_at }) => <Time value={expires_at} />,
  },
]

/** Submits a form instead of an API call: the response also ends this session and redirects to the sign-in page. */
const SignOutAllDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t("account:sessions.sign-out-all")} onClose={onClose}>
    <p>{t("account:sessions.sign-out-all.about")}</p>
    <form method="post" action="/logout" class="actions">
      <input type="hidden" name="everywhere" value="true" />
      <button type="submit" class="danger">
        {t("account:sessions.sign-out-all")}
      </button>
      <button type="button" onClick={onClose}>
        {t("cancel")}
      </button>
    </form>
  </Dialog>
)

/** Remembered devices of the caller, or of the user in `?user=`. */
export default function Sessions() {
  const me = useMe()
  const { query } = useUrlState()
  const requestedId = Number(query.user)
  const otherUserId = hasAccess(me, "admin") && requestedId > 0 && requestedId !== me.id ? requestedId : undefined
  const user = useRead(
    "/api/user/{id}",
    { params: { path: { id: otherUserId ?? 0 } } },
    { enabled: otherUserId !== undefined },
  )
  const [toSignOut, setToSignOut] = useState<{ devices: readonly Device[]; clear: () => void }>()
  const [isSigningOutAll, setIsSigningOutAll] = useState(false)
  const signOut = useChange({
    call: (delete_ids: number[]) => api.POST("/api/session/delete", { body: { delete_ids } }),
    invalidates: ["/api/session"],
  })
  const otherUserName = user.data ? `${user.data.firstName} ${user.data.lastName}` : String(otherUserId)
  return (
    <Page
      title={otherUserId === undefined ? t("nav.sessions") : t("account:sessions.of", { name: otherUserName })}
      {...(otherUserId !== undefined && { parent: { href: `/console/users/${otherUserId}`, label: otherUserName } })}
      actions={
        otherUserId === undefined && (
          <button type="button" class="danger" onClick={() => setIsSigningOutAll(true)}>
            {t("account:sessions.sign-out-all")}
          </button>
        )
      }
    >
      <p class="quiet">{t("account:sessions.about")}</p>
      <Listing
        path="/api/session/tabularlist"
        caption={t("nav.sessions")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ device }) => device}
        empty={{ icon: MonitorSmartphone, text: t("account:sessions.none") }}
        {...(otherUserId !== undefined && { query: { user_id: otherUserId } })}
        actions={(devices, clear) => (
          <button type="button" onClick={() => setToSignOut({ devices, clear })}>
            {t("account:sessions.sign-out")}
          </button>
        )}
      />
      {toSignOut && (
        <ConfirmDialog
          title={t("account:sessions.sign-out")}
          confirm={t("account:sessions.sign-out")}
          onConfirm={async () => {
            await signOut.mutateAsync(toSignOut.devices.map(({ id }) => id))
            toSignOut.clear()
          }}
          onClose={() => setToSignOut(undefined)}
        >
          <p>
            {t("account:sessions.sign-out.about", {
              count: toSignOut.devices.length,
              shown: number(toSignOut.devices.length),
            })}
          </p>
          <ul>
            {toSignOut.devices.map(({ id, device }) => (
              <li key={id} dir="auto">
                {device}
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
      {isSigningOutAll && <SignOutAllDialog onClose={() => setIsSigningOutAll(false)} />}
    </Page>
  )
}
