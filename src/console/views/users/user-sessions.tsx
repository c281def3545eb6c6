import { MonitorSmartphone } from "lucide-preact"
import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"

export function UserSessions({ id }: { id: number }) {
  const [toSignOut, setToSignOut] = useState<{ ids: number[]; clear: () => void }>()
  const signOut = useChange({
    call: (delete_ids: number[]) => api.POST("/api/session/delete", { body: { delete_ids } }),
    invalidates: ["/api/session"],
  })
  const messageParams = { count: toSignOut?.ids.length ?? 0, shown: toSignOut?.ids.length ?? 0 }
  return (
    <>
      <p class="quiet">{t("users:devices.about")}</p>
      <Listing
        path="/api/session/tabularlist"
        empty={{ icon: MonitorSmartphone, text: t("users:devices.none") }}
        caption={t("users:devices")}
        keyOf={(device) => device.id}
        nameOf={({ device }) => device}
        query={{ user_id: id }}
        columns={[
          {
            key: "device",
            title: t("users:device"),
            sort: "device",
            render: ({ device, current }) => (
              <>
                {device} {current && <Badge status="active">{t("users:device.current")}</Badge>}
              </>
            ),
          },
          {
            key: "created",
            title: t("users:signed-in"),
            sort: "created_at",
            render: ({ created_at }) => <Time value={created_at} />,
          },
          {
            key: "used",
            title: t("users:last-used"),
            render: ({ last_used_at }) => <Time value={last_used_at} none={last_used_at} />,
          },
          {
            key: "expires",
            title: t("users:expires"),
            sort: "expires_at",
            render: ({ expires_at }) => <Time value={expires_at} />,
          },
        ]}
        actions={(rows, clear) => (
          <button
            type="button"
            class="danger"
            onClick={() => setToSignOut({ ids: rows.map((device) => device.id), clear })}
          >
            {t("users:device.sign-out")}
          </button>
        )}
      />
      {toSignOut && (
        <ConfirmDialog
          title={t("users:device.sign-out.title", messageParams)}
          confirm={t("users:device.sign-out")}
          onClose={() => setToSignOut(undefined)}
          onConfirm={async () => {
            await signOut.mutateAsync(toSignOut.ids)
            toSignOut.clear()
          }}
        >
          <p>{t("users:device.sign-out.text")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
