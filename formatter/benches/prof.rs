fn main(){ let t=std::fs::read_to_string("/work/shared/bench/canon_10k.mlir").unwrap();
 let n=300; let time=|name:&str,f:&dyn Fn()->usize|{let s=std::time::Instant::now(); let mut x=0; for _ in 0..n{x+=f();} println!("{name} {:.1} MB/s {x}", t.len() as f64*n as f64/s.elapsed().as_secs_f64()/1e6);};
 time("lex",&||tile_syntax::lex(&t).len());
 time("parse",&||{let p=tile_syntax::split(&t); let o=tile_syntax::parse_outline(&t,&p); p.iter().filter(|p|p.kind==tile_syntax::PieceKind::Item).map(|p|tile_syntax::parse_item(&t[p.range.clone()]).len()).sum::<usize>()+o.len()});
 time("format",&||tile_fmt::format(&t,&tile_fmt::Options::default()).len());
}
