import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { RowGroup } from "../../../ui/rows/row-group.tsx";
import type { PanelProps } from "../../../ui/trade/types.ts";
import { NextStep } from "./next-step.tsx";
import { RefusedFormNotice, TradeProgress } from "./trade-progress.tsx";
import { TradeRows } from "./trade-rows.tsx";

/**
 * The trade: first the next step with its form, then where it stands, then what it is made of. Rendered by the server only; the room's
 * island fetches it again when the socket reports a change.
 */
export function TradePanel(props: PanelProps & { posted: PostedForm | null }) {
  const { trade } = props;
  return (
    <>
      <RefusedFormNotice {...props} />
      <NextStep {...props} />
      {trade && (
        <>
          <TradeProgress {...props} trade={trade} />
          <RowGroup continued>
            <TradeRows {...props} trade={trade} />
          </RowGroup>
        </>
      )}
    </>
  );
}
