/** The marketplace's logo, or else the product's. Decorative, so screen readers skip it. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <span className="logo" style={{ width: size, height: size }}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#15505d" />
        <g fill="none" strokeWidth="3.4" strokeLinecap="round">
          <path d="M8 9.5h16M16 9.5V25" stroke="#fff" />
          <path d="M10 15.5h4.2M17.8 15.5H22" stroke="#f0a35e" />
        </g>
      </svg>
    </span>
  );
}
