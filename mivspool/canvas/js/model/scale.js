// The scale of the score bars.

// Scores that lie close together: bars from 0 would all look the same, so they start near the least. {from, best, close}
export function scaleOf(trace) {
  const best = trace.n ? trace.score[trace.order[0]] : 1;
  const least = trace.n ? trace.score[trace.order[trace.n - 1]] : 0;
  const close = trace.n > 1 && least > 0.6 * best && best > least;
  return { from: close ? Math.max(0, least - 0.3 * (best - least)) : 0, best, close };
}

// the score of a bar that fills its rail: above the best where bars can be dragged to more
export const most = ({ from, best }, editing) => best + (editing ? 0.15 * (best - from) : 0);

// scores are changed in steps of about a hundredth of their range
export const unitOf = (scale) => 10 ** (Math.floor(Math.log10(Math.max(0.999 * (most(scale, true) - scale.from), 1e-9))) - 1);

export function snapped(scale, value) {
  const unit = unitOf(scale);
  const near = Number((Math.round(value / unit) * unit).toPrecision(12));
  return Math.max(near, Number((unit / 10).toPrecision(3)));
}
